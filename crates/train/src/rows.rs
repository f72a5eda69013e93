//! Positions to learn from, as lists of features.

/// The most seats of a row.
pub const MAX_SEATS: usize = nn::MAX_PERSPECTIVES;

/// Rows in memory: features of every perspective, what a search found, and how the game ended.
///
/// A row belongs to a game; rows of one game go to training or to validation together, since neighbouring positions are
/// too much alike to test one by the other.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    features: Vec<u16>,
    /// Where the features of each perspective end, row after row.
    ends: Vec<u64>,
    rows: Vec<Row>,
}

/// What is known of a row besides its features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// The game it comes from.
    pub game: u32,
    /// Number of seats.
    pub seats: u8,
    /// The head that applies.
    pub bucket: u8,
    /// How many symmetries of the board hold for it.
    pub symmetries: u8,
    /// The share of the game that each seat got in the end; sums to 1.
    pub result: [f32; MAX_SEATS],
    /// The share that a search expected for each seat, if there was one.
    pub search: Option<[f32; MAX_SEATS]>,
    /// The first perspective of the row among all.
    first: u64,
}

impl Row {
    /// A row of `game`.
    pub fn new(
        game: u32,
        seats: usize,
        bucket: usize,
        symmetries: usize,
        result: [f32; MAX_SEATS],
        search: Option<[f32; MAX_SEATS]>,
    ) -> Self {
        let (seats, bucket, symmetries) = (seats as u8, bucket as u8, symmetries as u8);
        Self { game, seats, bucket, symmetries, result, search, first: 0 }
    }

    /// What to learn: `share` of the result and the rest of what the search expected.
    pub fn target(&self, share: f32) -> [f32; MAX_SEATS] {
        let Some(search) = self.search else { return self.result };
        std::array::from_fn(|seat| share * self.result[seat] + (1.0 - share) * search[seat])
    }
}

impl Rows {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row with the features of each of its seats.
    ///
    /// # Panics
    /// If there are not as many lists as seats.
    pub fn push<'a>(&mut self, row: Row, perspectives: impl IntoIterator<Item = &'a [u16]>) {
        let first = self.ends.len() as u64;
        for features in perspectives {
            self.features.extend_from_slice(features);
            self.ends.push(self.features.len() as u64);
        }
        assert_eq!(self.ends.len() as u64 - first, u64::from(row.seats), "one list of features per seat");
        self.rows.push(Row { first, ..row });
    }

    /// A row.
    pub fn row(&self, index: usize) -> &Row {
        &self.rows[index]
    }

    /// The features of one seat of a row.
    pub fn features(&self, index: usize, seat: usize) -> &[u16] {
        let at = self.rows[index].first as usize + seat;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.features[start as usize..self.ends[at] as usize]
    }

    /// The largest feature there is.
    pub fn largest_feature(&self) -> Option<u16> {
        self.features.iter().copied().max()
    }

    /// Indices of rows to train on and to validate with: one game in `every` is kept apart.
    pub fn split(&self, every: u32) -> (Vec<u32>, Vec<u32>) {
        // Games are numbered in the order of generation; mixing the number spreads what changed over time.
        let apart = |row: &Row| (row.game.wrapping_mul(0x9e37_79b9) >> 7).is_multiple_of(every);
        (0..self.len() as u32).partition(|&index| !apart(&self.rows[index as usize]))
    }
}
