// The style of a report's page.

/** In the page itself: it is one file. */
export const riskStyle = `
:root { color-scheme: light dark; --paper: light-dark(#faf9f5, #11181a);
  --ink: light-dark(#1a2326, #e8eceb);
  --soft: light-dark(#4d5a5e, #a6b3b5); --line: light-dark(#dcd8cd, #2d3a3e);
  --track: light-dark(#e9e6dc, #26343a);
  --risk: light-dark(#a8362a, #f3a294); --some: light-dark(#a84c06, #f2a741);
  --calm: light-dark(#0c5a5d, #74cbc4);
  --told: light-dark(#7a2e7d, #d9a2dc); --warn: light-dark(#fae9e5, #3b1d18);
  --card: light-dark(#ffffff, #1a2427); }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 2.4rem; font-size: 1.25rem; }
.warning { background: var(--warn); border-left: 0.3rem solid var(--risk); padding: 0.7rem 1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0.8rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
  padding: 0.8rem 1rem; }
.card b { display: block; font-size: 1.9rem; line-height: 1.2; } .card span { color: var(--soft); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 0.93rem; }
th, td { text-align: left; padding: 0.35rem 0.6rem 0.35rem 0; border-bottom: 1px solid var(--line);
  vertical-align: middle; }
th { color: var(--soft); font-weight: 600; } td { font-variant-numeric: tabular-nums; }
.small { color: var(--soft); font-size: 0.88rem; } figure { margin: 1rem 0; }
.bar { width: 8rem; min-width: 5rem; height: 0.9rem; display: block; } .chart { width: 100%;
  max-width: 36rem; }
.chart text { fill: var(--soft); font-size: 11px; } .grid { stroke: var(--line); }
  .track { fill: var(--track); }
.mark { stroke: var(--ink); stroke-width: 3; } .line { fill: none; stroke-width: 2.5; }
rect.risk, circle.risk { fill: var(--risk); } rect.calm, circle.calm { fill: var(--calm); }
rect.some, circle.some { fill: var(--some); } circle.told { fill: var(--told); }
.line.risk { stroke: var(--risk); } .line.some { stroke: var(--some); } .line.calm { stroke: var(--calm);
  } .line.told { stroke: var(--told); }
.legend { color: var(--soft); font-size: 0.88rem; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.legend i { display: inline-block; width: 0.8rem; height: 0.8rem; border-radius: 2px;
  margin-right: 0.4rem; vertical-align: -0.05rem; }
i.risk { background: var(--risk); } i.some { background: var(--some); } i.calm { background: var(--calm);
  } i.told { background: var(--told); }
@media (max-width: 40rem) { td, th { white-space: nowrap; } td:first-child { white-space: normal;
  min-width: 8rem; } .bar { width: 5rem; } }
@media print { body { background: #fff; } main { max-width: none; } h2 { break-after: avoid; } }
`
