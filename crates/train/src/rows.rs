//! Positions to learn from, as lists of features.

/// The maximum number of seats of a row.
pub const MAX_SEATS: usize = nn::MAX_PERSPECTIVES;

/// Rows in memory: the features of every perspective, and the target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    features: Vec<u16>,
    /// Where the features of each perspective end, row after row.
    ends: Vec<u32>,
    heads: Vec<Row>,
    /// Where the features of a row start; `ends` counts from there.
    starts: Vec<u64>,
    /// The scalars of every perspective, row after row; equally many each.
    scalars: Vec<f32>,
}

/// What is known about a row besides its features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// The number of seats.
    pub seats: u8,
    /// The head of every seat.
    pub heads: [u8; MAX_SEATS],
    /// The number of symmetries of the board that hold for it.
    pub symmetries: u8,
    /// The share of the game that each seat should expect; sums to 1.
    pub target: [f32; MAX_SEATS],
    /// The first perspective of the row among all.
    first: u32,
}

impl Row {
    /// A row with this target.
    pub fn new(seats: usize, heads: [u8; MAX_SEATS], symmetries: usize, target: [f32; MAX_SEATS]) -> Self {
        Self { seats: seats as u8, heads, symmetries: symmetries as u8, target, first: 0 }
    }
}

impl Rows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The memory that the rows take, in bytes.
    pub fn bytes(&self) -> usize {
        2 * self.features.len()
            + 4 * (self.ends.len() + self.scalars.len())
            + (size_of::<Row>() + 8) * self.heads.len()
    }

    /// Adds a row with the features of each of its seats, and the scalars of all, seat after seat.
    ///
    /// # Panics
    /// If there are not as many lists as seats.
    pub fn push<'a>(&mut self, row: Row, perspectives: impl IntoIterator<Item = &'a [u16]>, scalars: &[f32]) {
        let (first, start) = (self.ends.len(), self.features.len());
        for features in perspectives {
            self.features.extend_from_slice(features);
            self.ends.push((self.features.len() - start) as u32);
        }
        assert_eq!(self.ends.len() - first, usize::from(row.seats), "one list of features per seat");
        self.starts.push(start as u64);
        self.scalars.extend_from_slice(scalars);
        self.heads.push(Row { first: u32::try_from(first).expect("rows fit in memory"), ..row });
    }

    /// Adds all rows of `other`.
    pub fn append(&mut self, other: &Self) {
        let (first, start) = (self.ends.len() as u32, self.features.len() as u64);
        self.features.extend_from_slice(&other.features);
        self.ends.extend_from_slice(&other.ends);
        self.heads.extend(other.heads.iter().map(|row| Row { first: row.first + first, ..*row }));
        self.starts.extend(other.starts.iter().map(|other| other + start));
        self.scalars.extend_from_slice(&other.scalars);
    }

    /// A row.
    pub fn row(&self, index: usize) -> &Row {
        &self.heads[index]
    }

    /// The scalars of all seats of a row, one seat after another.
    pub fn scalars(&self, index: usize) -> &[f32] {
        let each = self.scalars.len().checked_div(self.ends.len()).unwrap_or(0);
        let (first, seats) = (self.heads[index].first as usize, usize::from(self.heads[index].seats));
        &self.scalars[first * each..(first + seats) * each]
    }

    /// The features of one seat of a row.
    pub fn features(&self, index: usize, seat: usize) -> &[u16] {
        let (start, first) = (self.starts[index] as usize, self.heads[index].first as usize);
        let begin = if seat == 0 { 0 } else { self.ends[first + seat - 1] };
        &self.features[start + begin as usize..start + self.ends[first + seat] as usize]
    }
}
