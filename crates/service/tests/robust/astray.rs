//! Unknown addresses.

use crate::wire::Wired;

#[test]
fn an_unknown_address_is_a_page_for_browsers_and_an_error_for_programs() {
    let wired = Wired::start(|options| options);
    for path in ["/nowhere", "/game/a/b", "/help/me", "/api/nothing"] {
        let person = wired.ask("GET", path, &["Accept: text/html,application/xhtml+xml,*/*;q=0.8"], "");
        assert_eq!(person.status, Some(404), "{path}");
        assert!(person.body.contains("<main"), "{path}: {}", person.body);
        for accepts in ["Accept: */*", "Accept: application/json"] {
            let program = wired.ask("GET", path, &[accepts], "");
            assert_eq!(program.status, Some(404), "{path}");
            assert_eq!(program.json()["error"], "there is nothing at this address", "{path}");
        }
    }
    let page = wired.ask("GET", "/help", &["Accept: text/html"], "");
    assert_eq!(page.status, Some(200));
}
