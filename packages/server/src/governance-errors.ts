// The errors of the airlock, of consent and of raised budgets.

import { defineError, type ErrorDefinition } from "@dosimeter/core/errors"

/** Their codes; part of the server's. */
export const governanceErrors = {
  "airlock/waiting": defineError<{ readonly release: string; readonly study: string }>({
    kind: "refused",
    message: ({ release, study }) =>
      `release ${release} is paid for, and waits for an approval: the study ${study} has an airlock`,
    help: () => "ask the same again once it is approved: it is free then",
  }),
  "airlock/refused": defineError<{
    readonly release: string
    readonly study: string
    readonly name: string
    readonly reasons: string
  }>({
    kind: "refused",
    message: ({ release, name, reasons }) => `release ${release} was refused by ${name}: ${reasons}`,
    help: () => "ask something else; what was paid stays paid",
  }),
  "airlock/nothing": defineError<{ readonly release: string }>({
    kind: "refused",
    message: ({ release }) => `release ${release} failed after it was paid for: there is nothing to approve`,
    help: () => "refuse it, with reasons that do not say that it failed; see dosimeter incidents",
  }),
  "airlock/incident": defineError<{ readonly study: string; readonly position: string }>({
    kind: "refused",
    message: ({ study, position }) =>
      `a question of the study ${study} failed after it was paid for (entry ${position}), so nothing of it is approved`,
    help: ({ position }) =>
      `an owner looks at it first, and then types: dosimeter incidents acknowledge ${position} --reason "..."`,
  }),
  "incident/own": defineError<{ readonly name: string; readonly position: string }>({
    kind: "refused",
    message: ({ name, position }) => `the incident at entry ${position} is about a question of ${name}`,
    help: ({ position }) =>
      `another owner acknowledges it, or whoever has the ledger: dosimeter incidents acknowledge ${position} --reason "..."`,
  }),
  "airlock/no-within": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "an accuracy cannot be asked for where releases wait for an approval",
    help: () => "say what to spend: SET dosimeter.epsilon = 0.5",
  }),
  "airlock/no-learning": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "bounds, groups and norms cannot be learnt first where releases wait for an approval",
    help: () => "write CLAMP(x, low, high), say how many groups count, or leave the norm out",
  }),
  "airlock/no-series": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "a series cannot be asked for where releases wait for an approval",
    help: () => "ask a question about the periods that are over, with GROUP BY date_trunc('week', day)",
  }),
  "airlock/unknown": defineError<{ readonly release: string }>({
    kind: "invalid",
    message: ({ release }) => `no release ${release} is in an airlock`,
    help: () => "see which are: dosimeter airlock list",
  }),
  "airlock/decided": defineError<{ readonly release: string; readonly state: string }>({
    kind: "refused",
    message: ({ release, state }) => `release ${release} is ${state} already`,
    help: () => "what has left cannot be called back, and what was refused stays",
  }),
  "airlock/no-reasons": defineError<{ readonly release: string }>({
    kind: "invalid",
    message: ({ release }) => `no reasons are given for release ${release}`,
    help: () => "say in a sentence why; the analyst reads it",
  }),
  "airlock/not-allowed": defineError<{ readonly name: string; readonly study: string }>({
    kind: "refused",
    message: ({ name, study }) => `${name} may not look into the airlock of the study ${study}`,
    help: () => "the owner and members of the committee do, unless they belong to the study",
  }),
  "consent/not-allowed": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} may not decide for others`,
    help: () => "participants decide for themselves, and owners hand in what people decided",
  }),
  "consent/not-linked": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `nothing tells whose data the account ${name} is about`,
    help: () => "ask the owner to link it, under Accounts or with: dosimeter user link NAME ID",
  }),
  "consent/bad-purpose": defineError<{ readonly purpose: string }>({
    kind: "invalid",
    message: ({ purpose }) => `${purpose} is no purpose that people agree to`,
    help: () => "take one of DUO:0000004, DUO:0000042, DUO:0000006, DUO:0000007 and DUO:0000011",
  }),
  "consent/bad-time": defineError<{ readonly time: string }>({
    kind: "invalid",
    message: ({ time }) => `${time} is not a time at which somebody can have decided`,
    help: () => "write a day such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z, not in the future",
  }),
  "consent/bad-participant": defineError<{ readonly type: string }>({
    kind: "invalid",
    message: ({ type }) => `that is no id of a person in the data: ids are of type ${type} there`,
    help: () => "take the id from the column that the policy names as the unit",
  }),
  "consent/bad-file": defineError<{ readonly file: string; readonly problems: string }>({
    kind: "invalid",
    message: ({ file, problems }) => `nothing of ${file} was taken over: ${problems}`,
    help: () => "correct the file and hand it in again; what is not understood is never guessed",
  }),
  "consent/linked-already": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `the account ${name} stands for a participant already`,
    help: () => "one account for each participant: disable that one first, or take the right id",
  }),
  "consent/no-participant": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) =>
      `the account ${name} is not a participant's, so it cannot be about somebody's data`,
    help: () => "make one: dosimeter user add NAME --role participant --participant ID",
  }),
  "audit/unsound": defineError<{ readonly position: string }>({
    kind: "refused",
    message: ({ position }) => `the audit trail is not sound at entry ${position}`,
    help: () => "restore the newest intact copy of the state, and find out who changed it",
  }),
  "decision/not-allowed": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} may not decide about the ledger`,
    help: () => "owner and committee decide, two of them, one at least of the committee",
  }),
  "decision/nothing": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "nothing keeps the ledger from being charged, so there is nothing to decide",
    help: () => "look at it: dosimeter ledger verify",
  }),
  "decision/other": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `the ledger is refused for another reason now: ${what}`,
    help: () => "look at it with dosimeter ledger verify, and decide about that",
  }),
  "decision/unknown": defineError<{ readonly id: string }>({
    kind: "invalid",
    message: ({ id }) => `there is no open decision ${id} about the ledger`,
    help: () => "see which there are: dosimeter ledger requests",
  }),
  "decision/agreed-already": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} has decided about this already`,
    help: () => "another person must agree",
  }),
  "decision/two-accounts": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "this house has a committee, so two accounts decide about the ledger",
    help: () =>
      "give --as NAME of an owner or a member of the committee; another agrees: dosimeter ledger agree",
  }),
  "decision/bad-share": defineError<{ readonly got: string }>({
    kind: "invalid",
    message: ({ got }) => `what was spent is ${got}, and should be a share of the budget`,
    help: () =>
      "write a share such as 40%, at least what is known, at most 100%; or leave it out for all of it",
  }),
  "people/not-separate": defineError<{
    readonly name: string
    readonly other: string
    readonly by: string
    readonly until: string
  }>({
    kind: "refused",
    message: ({ name, other, by, until }) =>
      `two people are needed, and ${name} and ${other} may be one until ${until} UTC: ${by} made an account, gave it its role or set its password`,
    help: () =>
      "let somebody decide whose account is older, or wait; see docs/guides/governance.md, Two people",
  }),
  "raise/not-allowed": defineError<{ readonly name: string; readonly account: string }>({
    kind: "refused",
    message: ({ name, account }) => `${name} may not decide about the budget of ${account}`,
    help: () => "owner and committee agree, two of them, one at least of the committee, none of the study",
  }),
  "raise/agreed-already": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} has decided about this request already`,
    help: () => "another person must agree",
  }),
  "raise/no-raise": defineError<{ readonly account: string; readonly what: string }>({
    kind: "invalid",
    message: ({ account, what }) => `this would not raise the budget of ${account}: ${what}`,
    help: () => "see what it has: dosimeter budget",
  }),
  "raise/other-policy": defineError<{
    readonly account: string
    readonly epsilon: string
    readonly delta: string
  }>({
    kind: "refused",
    message: ({ account, epsilon, delta }) =>
      `the policy gives ${account} epsilon ${epsilon} and delta ${delta}, and the request something else`,
    help: () => "let the owner change the policy first, then ask for what it says",
  }),
  "raise/unknown": defineError<{ readonly id: string }>({
    kind: "invalid",
    message: ({ id }) => `there is no open request ${id}`,
    help: () => "see which there are: dosimeter budget requests",
  }),
  "raise/no-reasons": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "no reasons are given",
    help: () => "say in a sentence why; it is written into the ledger",
  }),
} satisfies Record<string, ErrorDefinition<never>>
