// The survey as a page of this server, and the script that it and other pages load.

import { gunzipSync } from "node:zlib"
import type { Campaign } from "./campaign.ts"
import { surveyScript } from "./generated/survey-script.ts"

let script: string | undefined

/** The script that asks, randomizes and sends. */
export function surveyScriptText(): string {
  script ??= gunzipSync(Buffer.from(surveyScript.join(""), "base64")).toString("utf8")
  return script
}

/** The body of a campaign's own page. Titles stand in attributes of the API only: the script draws them. */
export function surveyBody({ id, epsilon }: Pick<Campaign, "id" | "epsilon">): string {
  return `<div data-dosimeter-survey="${id}" data-limit="${epsilon}">
<p>This survey needs JavaScript: the noise is added by your browser, before anything is sent.</p>
</div>
<script type="module" src="/survey.js"></script>
<details>
<summary>How this protects you</summary>
<p>Your browser does not send your answer. It throws coins, and sends either something that fits your answer
or something that does not, with known odds. Nobody, this server included, can tell which it was. From many
such reports the shares of all answers can be worked out, because the odds are known.</p>
<p>The server keeps counters only: no report, no address, no time. A number drawn for the report alone sees to
it that the same report is not counted twice.</p>
</details>`
}
