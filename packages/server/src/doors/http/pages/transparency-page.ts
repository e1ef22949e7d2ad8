// The page for everybody: which studies use the data, for what, at which dose. Plain HTML, no scripts; read
// aloud it makes the same sense as on a screen.

import { showShare } from "@dosimeter/core/accounting"
import type { PublicRelease, PublicStudy, SpentDose, Transparency } from "../../../studies/transparency.ts"
import { escape, htmlPage } from "./pages.ts"

/** The page. */
export function transparencyPage(view: Transparency): Response {
  const { dataset, unit, promise, spent, studies, releases, releasesInAll } = view
  return htmlPage(
    `${dataset}: what the data is used for`,
    `${style}
<h1>What the data of ${escape(dataset)} is used for</h1>
<p>Every answer that leaves this server is about a group, and has noise that hides each ${escape(unit)} in it.
How much could be learned about one ${escape(unit)} is measured like a dose: small for each answer, added up
over all of them, and limited for ever. ${consentWords(view)}</p>
<h2>The dose so far</h2>
${meter(spent)}
<p>${runsOut(view)} The limit, for everything that is ever asked, is epsilon&nbsp;${show(promise.epsilon)} at
delta&nbsp;${show(promise.delta)}. What is used so far amounts to epsilon&nbsp;${show(spent.epsilon)}.</p>
<details><summary>What that means</summary>
<h3>What is used so far</h3>
${sentences(spent.words)}
<h3>The limit</h3>
${sentences(promise.words)}
</details>
<h2>Studies</h2>
${studies.length === 0 ? "<p>No study was approved so far.</p>" : studies.map(studyHtml).join("\n")}
<h2>Releases</h2>
${releasesHtml(releases, releasesInAll)}
<p><a href="/api/v1/transparency">The same for programs</a></p>`,
  )
}

function consentWords({ consent, unit }: Transparency): string {
  if (consent === null) return ""
  return consent === "required"
    ? `Only the data of each ${escape(unit)} that agreed to the purpose of a study is read.`
    : `The data of each ${escape(unit)} that withdrew from the purpose of a study is not read.`
}

function studyHtml(study: PublicStudy): string {
  const { id, title, summary, purposes, starts, ends, state, airlock, people, budget, spent, releases } =
    study
  const words = purposes.map(({ name, code }) => `<abbr title="${escape(code)}">${escape(name)}</abbr>`)
  return `<article aria-labelledby="study-${escape(id)}">
<h3 id="study-${escape(id)}">${escape(title)} <span class="state ${state}">${state}</span></h3>
${summary === "" ? "" : `<p>${escape(summary)}</p>`}
<dl>
<dt>Purpose</dt><dd>${words.join("; ")}</dd>
<dt>Days</dt><dd><time datetime="${escape(starts)}">${escape(starts)}</time> to
<time datetime="${escape(ends)}">${escape(ends)}</time></dd>
<dt>People who ask</dt><dd>${people}</dd>
<dt>Releases</dt><dd>${releases}${airlock ? ", each approved before it leaves" : ""}</dd>
<dt>Dose</dt><dd>${showShare(spent.used.share)} of its share is used; epsilon ${show(spent.epsilon)} of
${show(budget.epsilon)}
${meter(spent)}</dd>
${communityHtml(study)}</dl>
</article>`
}

/** What a community advisory board says: advisory, in its own words, without names. */
function communityHtml({ community }: PublicStudy): string {
  if (community.length === 0) return ""
  const items = community.map(({ view, comment }) => `<li>${viewWords[view]}: ${escape(comment)}</li>`)
  return `<dt>The community's board says</dt><dd><ul>${items.join("\n")}</ul></dd>
`
}

const viewWords: Readonly<Record<PublicStudy["community"][number]["view"], string>> = {
  support: "In favour",
  concern: "With concerns",
  oppose: "Against",
}

function releasesHtml(releases: readonly PublicRelease[], inAll: number): string {
  if (releases.length === 0) return "<p>Nothing was released so far.</p>"
  const rows = releases.map(
    ({ position, at, study, amount, state, planHash }) =>
      `<tr><td>${position}</td><td><time datetime="${escape(at)}">${escape(at.slice(0, 16).replace("T", " "))}</time></td>
<td>${escape(study ?? "none")}</td><td class="number">${show(amount)}</td><td>${words[state]}</td>
<td><code>${escape(planHash.slice(0, 12))}</code></td></tr>`,
  )
  const more = inAll > releases.length ? `<p>The newest ${releases.length} of ${inAll}.</p>` : ""
  return `${more}<div class="wide" tabindex="0" role="region" aria-label="Releases"><table>
<thead><tr><th scope="col">Release</th><th scope="col">Time (UTC)</th><th scope="col">Study</th>
<th scope="col" class="number">Charge</th><th scope="col">State</th><th scope="col">Plan</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>
<p class="small">The charge is in the measure that is added up. What was asked, and whether there was an answer,
is not shown here; the plan is named by its hash, so that a published receipt can be held against it.</p>`
}

const words: Readonly<Record<PublicRelease["state"], string>> = {
  charged: "paid for",
  held: "waits for an approval",
}

function meter({ used }: SpentDose): string {
  const shown = escape(showShare(used.share))
  return `<div class="meter" role="img" aria-label="${shown} of the limit is used"><div style="width: ${(used.share * 100).toFixed(1)}%"></div></div>`
}

/** How much is used, and of what: losses are added up in a measure in which they do add up. */
function runsOut({ accounting, spent: { used } }: Transparency): string {
  const loss = {
    pure: "epsilon",
    zcdp: "rho, which adds up from answer to answer",
    gdp: "mu squared, which adds up from answer to answer",
  }
  const what = used.first === "delta" ? "delta" : (loss[accounting as keyof typeof loss] ?? accounting)
  return `<b>${escape(showShare(used.share))} is used</b>, counted in ${escape(what)}.`
}

function sentences(list: readonly string[]): string {
  return `<ul>${list.map((sentence) => `<li>${escape(sentence)}</li>`).join("\n")}</ul>`
}

// A number as people read it: four digits that matter, rounded up.
function show(amount: string): string {
  const value = Number(amount)
  if (value === 0 || !Number.isFinite(value)) return escape(amount)
  const scale = 10 ** (3 - Math.floor(Math.log10(value)))
  const rounded = Math.ceil(value * scale - 1e-9) / scale
  return escape(`${Number(rounded.toPrecision(4))}`)
}

const style = `<style>
article { border-top: 1px solid #8886; padding: 0.25rem 0 0.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0; }
dt { opacity: 0.75; }
dd { margin: 0; min-width: 0; }
h3 { margin-bottom: 0.25rem; }
abbr { text-decoration: none; }
.state { font-size: 0.75rem; font-weight: 600; border: 1px solid; border-radius: 1rem; padding: 0.1rem 0.6rem;
  vertical-align: middle; white-space: nowrap; }
.active { color: light-dark(#0b6b3a, #5fd699); }
.suspended { color: light-dark(#9a3412, #fdba74); }
.meter { height: 0.6rem; border-radius: 0.3rem; background: light-dark(#e2e6ec, #333a45); overflow: hidden;
  margin: 0.35rem 0; max-width: 24rem; }
.meter div { height: 100%; background: light-dark(#1d5fd1, #7fb0ff); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #8884;
  white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.small { font-size: 0.875rem; opacity: 0.8; }
</style>`
