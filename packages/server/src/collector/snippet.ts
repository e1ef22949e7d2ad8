// What a web page embeds: two lines that load the device's side from this server, ask, randomize and send.

/**
 * The snippet of a campaign, for the HTML of any page. The limit is what all campaigns of that page together
 * may take from a device, for life; whoever embeds several raises it.
 */
export function snippetOf(
  { id, epsilon }: { readonly id: string; readonly epsilon: string },
  origin: string,
): string {
  return `<div data-dosimeter-survey="${id}" data-limit="${epsilon}"></div>
<script type="module" src="${origin}/survey.js" crossorigin></script>`
}
