use super::*;
use crate::figure::svg::tests::{size, texts};
use crate::figure::{Scale, to_png};
use proptest::prelude::*;
use resvg::usvg::roxmltree::Document;

/// Where the markers of a figure stand, in the order they are drawn.
pub(in crate::figure) fn points(svg: &str) -> Vec<(f64, f64)> {
    let document = Document::parse(svg).expect(svg);
    document
        .descendants()
        .filter(|n| n.attribute("class") == Some("point"))
        .map(|n| {
            let place = n.attribute("transform").unwrap();
            let place = place.strip_prefix("translate(").unwrap().strip_suffix(')').unwrap();
            let (x, y) = place.split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        })
        .collect()
}

/// Start, end of every error bar and how many caps it has.
fn bars(svg: &str) -> Vec<(f64, f64, usize)> {
    let document = Document::parse(svg).expect(svg);
    document
        .descendants()
        .filter(|n| n.attribute("class") == Some("error"))
        .map(|n| {
            let path = n.attribute("d").unwrap();
            let parts: Vec<&str> = path[1..].split('M').collect();
            let (from, to) = parts[0].split_once('V').unwrap();
            let from = from.split_once(' ').unwrap().1;
            (from.parse().unwrap(), to.parse().unwrap(), parts.len() - 1)
        })
        .collect()
}

fn chart(x: Axis, y: Axis, points: &[(f64, f64, f64)]) -> Chart {
    let points = points.iter().map(|&(x, y, error)| Point { x, y, error }).collect();
    let panel = Panel { title: "p".into(), x, y, series: vec![Series::new("", 0, points)] };
    Chart { title: "t".into(), panels: vec![panel], columns: 1, caption: None }
}

/// The pixel of a tick's label on the horizontal (vertical) axis.
fn tick(svg: &str, label: &str, vertical: bool) -> f64 {
    let found = texts(svg).into_iter().find(|t| t.0 == label).expect(label);
    if vertical { found.2 - 0.35 * TICK_SIZE } else { found.1 }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.02
}

#[test]
fn points_stand_where_linear_axes_say() {
    let x = Axis::linear("x").with_range(0.0, 300.0);
    let y = Axis::linear("y").with_range(0.0, 4_000.0);
    let svg =
        chart(x, y, &[(0.0, 0.0, 0.0), (150.0, 1_000.0, 500.0), (300.0, 4_000.0, 0.0)]).to_svg();
    let points = points(&svg);
    assert!(close(points[0].0, tick(&svg, "50", false) * 2.0 - tick(&svg, "100", false)));
    assert!(close(points[1].0, tick(&svg, "150", false)));
    assert!(close(points[1].1, tick(&svg, "1,000", true)));
    assert!(close(points[2].1, tick(&svg, "4,000", true)));
    let per_unit = (points[0].1 - points[2].1) / 4_000.0;
    let bars = bars(&svg);
    assert_eq!(bars.len(), 1, "no error, no bar");
    assert!(close(bars[0].0, points[1].1 + 500.0 * per_unit));
    assert!(close(bars[0].1, points[1].1 - 500.0 * per_unit));
    assert_eq!(bars[0].2, 2);
}

#[test]
fn points_stand_where_log_axes_say() {
    let points_in =
        [(100.0, 0.01, 0.005), (1_000.0, 0.1, 0.2), (10_000.0, 1.0, 0.0), (0.0, 1.0, 0.0)];
    let svg = chart(Axis::log("x"), Axis::log("y"), &points_in).to_svg();
    let points = points(&svg);
    assert_eq!(points.len(), 3, "0 has no logarithm");
    for (point, (x, y)) in points.iter().zip([("100", "0.01"), ("1,000", "0.1"), ("10,000", "1")]) {
        assert!(close(point.0, tick(&svg, x, false)), "{x}");
        assert!(close(point.1, tick(&svg, y, true)), "{y}");
    }
    let decade = points[0].1 - points[1].1;
    let bars = bars(&svg);
    assert!(close(bars[0].0, points[0].1 + decade * libm::log10(2.0)));
    assert!(close(bars[0].1, points[0].1 - decade * libm::log10(1.5)));
    assert_eq!((bars[0].2, bars[1].2), (2, 1), "a bar through 0 has no lower cap");
}

#[test]
fn lines_are_cut_at_the_edges_and_broken_where_a_point_is_missing() {
    assert_eq!(clip((0.5, 0.5), (0.5, 2.5)), Some(((0.5, 0.5), (0.5, 1.0))));
    assert_eq!(clip((-1.0, 0.0), (2.0, 1.5)), Some(((0.0, 0.5), (1.0, 1.0))));
    assert_eq!(clip((-1.0, 0.5), (0.5, 2.5)), None);
    assert_eq!(clip((0.2, 1.5), (0.7, 1.5)), None);
    let area = Area { left: 0.0, top: 0.0, width: 100.0, height: 100.0 };
    let places = [
        Some((0.0, 0.0)),
        Some((0.5, 0.5)),
        None,
        Some((0.5, 0.0)),
        Some((0.5, 0.5)),
        Some((1.0, 1.0)),
    ];
    assert_eq!(line(&places, area), "M0 100L50 50M50 100L50 50L100 0");
}

#[test]
fn a_point_outside_the_range_is_not_drawn() {
    let y = Axis::linear("y").with_range(0.0, 1.0);
    let svg =
        chart(Axis::linear("x"), y, &[(1.0, 0.5, 0.0), (2.0, 7.0, 1.0), (3.0, 1.0, 9.0)]).to_svg();
    assert_eq!(points(&svg).len(), 2);
    assert_eq!(bars(&svg).len(), 1);
    assert_eq!(bars(&svg)[0].2, 0);
}

#[test]
fn panels_share_a_legend_and_a_label() {
    let series = |n: usize| {
        Series::new(format!("method {n}"), n, vec![Point { x: 1.0, y: 2.0, error: 0.1 }])
    };
    let panel = |title: &str, n: usize| Panel {
        title: title.into(),
        x: Axis::linear("documents"),
        y: Axis::linear("error"),
        series: (0..n).map(series).collect(),
    };
    let panels = vec![panel("a <1>", 2), panel("b", 3), panel("c", 1)];
    let svg =
        Chart { title: "T & t".into(), caption: Some("c".into()), panels, columns: 2 }.to_svg();
    let count = |text: &str| texts(&svg).iter().filter(|t| t.0 == text).count();
    assert_eq!(["method 0", "method 1", "method 2"].map(count), [1, 1, 1]);
    assert_eq!(["error", "documents", "T & t", "a <1>"].map(count), [2, 3, 1, 1]);
    assert_eq!(size(&svg).0, WIDTH);
}

#[test]
fn a_series_changes_the_png() {
    let blank =
        chart(Axis::linear("x").with_range(0.0, 9.0), Axis::linear("y").with_range(0.0, 9.0), &[]);
    let mut inked = blank.clone();
    inked.panels[0].series[0].points = vec![Point { x: 4.0, y: 4.0, error: 1.0 }];
    let [blank, inked] = [blank, inked].map(|c| to_png(&c.to_svg(), 1.0).unwrap());
    assert_ne!(blank, inked);
}

#[test]
fn nothing_to_draw_is_still_a_figure() {
    size(&Chart::default().to_svg());
    let panels = vec![Panel::default(); 7];
    size(&Chart { panels, columns: 100, ..Chart::default() }.to_svg());
}

fn any_axis() -> impl Strategy<Value = Axis> {
    let range = prop::option::of((any::<f64>(), any::<f64>()));
    (any::<bool>(), range, ".{0,40}").prop_map(|(log, range, label)| {
        let scale = if log { Scale::Log } else { Scale::Linear };
        Axis { label, scale, range }
    })
}

/// Numbers of all kinds: ordinary, extreme, infinite, not numbers.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        -10.0_f64..10.0,
        any::<f64>(),
        Just(f64::NAN),
        Just(0.0),
        Just(f64::MAX),
        Just(5e-324)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_points_give_a_figure_with_everything_inside(
        x in any_axis(),
        y in any_axis(),
        points_in in prop::collection::vec((any_number(), any_number(), any_number()), 0..8),
        columns in 0_usize..4,
    ) {
        let mut chart = chart(x, y, &points_in);
        chart.panels.push(chart.panels[0].clone());
        chart.columns = columns;
        let svg = chart.to_svg();
        let (width, height) = size(&svg);
        for (x, y) in points(&svg) {
            prop_assert!(x > 0.0 && x < width && y > 0.0 && y < height);
        }
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf\""));
        prop_assert_eq!(svg, chart.to_svg());
    }
}
