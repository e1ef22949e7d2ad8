// The errors of federated work: between a node and its coordinator, and of what people decide about jobs.

import { defineError, type ErrorDefinition } from "@dosimeter/core/errors"

type Nothing = Record<string, string>

/** Their codes; part of the server's. */
export const federationErrors = {
  "federation/bad-url": defineError<{ readonly url: string }>({
    kind: "invalid",
    message: ({ url }) => `${url} is no address of a coordinator`,
    help: () =>
      "give one such as https://study.example.org; http:// is for this machine only, since others could read along",
  }),
  "federation/no-url": defineError<Nothing>({
    kind: "invalid",
    message: () => "nothing tells at which address nodes reach the coordinator",
    help: () => "give it once: dosimeter coordinator invite SITE --url https://study.example.org",
  }),
  "federation/bad-invitation": defineError<Nothing>({
    kind: "invalid",
    message: () => "this is no invitation",
    help: () => "give the whole line that dosimeter coordinator invite has printed",
  }),
  "federation/bad-site": defineError<{ readonly site: string }>({
    kind: "invalid",
    message: ({ site }) => `${site} cannot be the name of a site`,
    help: () =>
      "begin with a lower-case letter; then letters, digits and -, 40 at most; coordinator itself is taken",
  }),
  "federation/bad-peer": defineError<{ readonly site: string }>({
    kind: "invalid",
    message: ({ site }) => `this is no key of the site ${site}`,
    help: () => "give the 43 characters that dosimeter node status shows there",
  }),
  "federation/bad-proxy": defineError<Nothing>({
    kind: "invalid",
    message: () => "the proxy's address cannot be used",
    help: () => "give one such as http://proxy.example.org:3128, by --proxy or in HTTPS_PROXY",
  }),
  "federation/bad-request": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `the request of a node cannot be taken: ${what}`,
    help: () => "let both sides run the same version of Dosimeter",
  }),
  "federation/other-coordinator": defineError<Nothing>({
    kind: "refused",
    message: () => "the request is for another coordinator",
    help: () => "a new key of the coordinator needs new invitations: dosimeter coordinator invite SITE",
  }),
  "federation/clock": defineError<{ readonly now: string }>({
    kind: "refused",
    message: ({ now }) =>
      `the clocks of node and coordinator are more than five minutes apart: here it is ${now}`,
    help: () => "set the clock that is wrong",
  }),
  "federation/replayed": defineError<Nothing>({
    kind: "refused",
    message: () => "this request was taken before",
    help: () => "nothing is to be done: a node signs each request anew",
  }),
  "federation/no-invitation": defineError<{ readonly site: string }>({
    kind: "refused",
    message: ({ site }) => `no invitation of the site ${site} is good for this key`,
    help: ({ site }) =>
      `an invitation enrols one key once, for 14 days; ask the lead for a new one: dosimeter coordinator invite ${site}`,
  }),
  "federation/not-enrolled": defineError<{ readonly site: string }>({
    kind: "refused",
    message: ({ site }) => `the site ${site} is not enrolled with this key, or was expelled`,
    help: ({ site }) =>
      `ask the lead, who sees it under dosimeter coordinator sites, or invites ${site} anew`,
  }),
  "federation/site-exists": defineError<{ readonly site: string }>({
    kind: "refused",
    message: ({ site }) => `the site ${site} is enrolled already`,
    help: ({ site }) =>
      `take another name, or expel it first: dosimeter coordinator expel ${site} --why REASONS`,
  }),
  "federation/no-site": defineError<{ readonly site: string }>({
    kind: "invalid",
    message: ({ site }) => `there is no site ${site} that takes part`,
    help: () => "see which do: dosimeter coordinator sites",
  }),
  "federation/joined-already": defineError<{ readonly study: string }>({
    kind: "refused",
    message: ({ study }) => `this node belongs to the study ${study} already`,
    help: () => "leave it first: dosimeter node leave; or keep another node in a folder of its own",
  }),
  "federation/not-joined": defineError<Nothing>({
    kind: "invalid",
    message: () => "this node belongs to no study",
    help: () => "join one with the invitation of its lead: dosimeter node join INVITATION",
  }),
  "federation/not-pinned": defineError<Nothing>({
    kind: "refused",
    message: () => "nobody said that the coordinator's fingerprint is right, so the node did not join",
    help: () =>
      "compare it with the lead by telephone and answer y, or give --fingerprint with the one the lead has told you",
  }),
  "federation/other-fingerprint": defineError<{ readonly invited: string }>({
    kind: "refused",
    message: ({ invited }) => `the invitation is of a coordinator with another fingerprint, ${invited}`,
    help: () => "somebody may have changed the invitation: ask the lead for it again, by another way",
  }),
  "federation/unreachable": defineError<{ readonly url: string; readonly why: string }>({
    kind: "unavailable",
    message: ({ url, why }) => `the coordinator at ${url} cannot be reached: ${why}`,
    help: () =>
      "see whether this machine may open that address; a proxy is given by --proxy or HTTPS_PROXY, a certificate authority of the house by --ca FILE",
  }),
  "federation/refused": defineError<{
    readonly url: string
    readonly said: string
    readonly seconds?: string
  }>({
    kind: "unavailable",
    message: ({ url, said }) => `the coordinator at ${url} refuses: ${said}`,
    help: () => "do what the words between say; where they are not a coordinator's, look at the proxy",
  }),
  "federation/not-the-coordinator": defineError<Nothing>({
    kind: "refused",
    message: () => "the reply is not signed by the coordinator that this node has joined",
    help: () =>
      "something between may have answered; if the coordinator's key was lost, leave and join again with a new invitation",
  }),
  "federation/other-version": defineError<{ readonly url: string }>({
    kind: "unavailable",
    message: ({ url }) => `the coordinator at ${url} answers in a form that this version does not know`,
    help: () => "let both sides run the same version of Dosimeter",
  }),
  "federation/no-model": defineError<{ readonly job: string }>({
    kind: "invalid",
    message: ({ job }) => `the job ${job} has no model to be written`,
    help: () => "only a regression has one, once it is answered: dosimeter coordinator jobs",
  }),
  "federation/no-job": defineError<{ readonly job: string }>({
    kind: "invalid",
    message: ({ job }) => `there is no job ${job}`,
    help: () => "see which there are: dosimeter node inbox, or dosimeter coordinator jobs",
  }),
  "federation/decided": defineError<{ readonly job: string; readonly state: string }>({
    kind: "refused",
    message: ({ job, state }) => `job ${job} is ${state} already`,
    help: () => "what was approved cannot be called back, and what was refused stays",
  }),
  "federation/not-allowed": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} may not decide about jobs`,
    help: () => "an owner or a member of the committee does",
  }),
  "federation/no-reasons": defineError<Nothing>({
    kind: "invalid",
    message: () => "no reasons are given",
    help: () => "say in a sentence why: --why REASONS",
  }),
  "federation/bad-standing": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `this cannot be agreed to beforehand: ${what}`,
    help: () =>
      "give a pattern, what each job and all together may cost, and the last day; see docs/guides/federation.md",
  }),
  "federation/no-such-view": defineError<{ readonly view: string }>({
    kind: "invalid",
    message: ({ view }) => `there is no view ${view}`,
    help: () => "see which there are: dosimeter node view list",
  }),
  "federation/no-standing": defineError<{ readonly id: string }>({
    kind: "invalid",
    message: ({ id }) => `there is no standing approval ${id} that holds`,
    help: () => "see which do: dosimeter node standing list",
  }),
} satisfies Record<string, ErrorDefinition<never>>
