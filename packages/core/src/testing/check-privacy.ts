// Attacks a mechanism's claim: draws on two neighbours and looks for an event that the claimed loss forbids.
// It can only falsify. `expectViolation` shows that the attack is able to: a mechanism broken on purpose must
// be caught.

import type { RandomBits } from "../random/random-bits.ts"
import { spendAlpha } from "./alpha-budget.ts"
import { alphaDefault, type CheckBits } from "./check-sampler.ts"
import { learnEvents, type Outcome, type OutcomeEvent } from "./learn-events.ts"
import { privacyVerdict } from "./privacy-verdict.ts"
import { freshSeed, seededBits } from "./seeded-bits.ts"

/** A mechanism on two neighbours, and the loss it claims. */
export interface PrivacyCheck {
  readonly name: string
  readonly onD: (rng: RandomBits) => Outcome
  readonly onNeighbour: (rng: RandomBits) => Outcome
  readonly epsilon: number
  readonly delta: number
  /** Draws on each neighbour. Without `events` the first half only serves to learn them. */
  readonly draws: number
  /** The false-alarm rate; 1e-9 unless given. */
  readonly alpha?: number
  /** The events to try, each in both directions. */
  readonly events?: Readonly<Record<string, (outcome: Outcome) => boolean>>
  /** A fresh seed unless given. */
  readonly rng?: CheckBits
}

/** The strongest thing that an attack found. */
export interface PrivacyFinding {
  /** No smaller epsilon holds at this delta, but for a probability of alpha. */
  readonly epsilonLower: number
  readonly violation: boolean
  /** The event and its counts, for people. */
  readonly event: string
  readonly seed: string
}

/** Throws when the draws prove that the claimed loss does not hold; a mechanism that keeps it fails with
 * probability at most alpha. Returns the best lower bound on epsilon. */
export function checkPrivacy(check: PrivacyCheck): PrivacyFinding {
  const alpha = check.alpha ?? alphaDefault
  spendAlpha(alpha)
  const finding = attack({ check, alpha, rng: check.rng ?? seededBits(freshSeed()) })
  if (finding.violation) {
    throw new Error(
      `${check.name}: epsilon ${check.epsilon}, delta ${check.delta} does not hold: epsilon is at least ` +
        `${finding.epsilonLower.toPrecision(4)} on ${finding.event} (alpha ${alpha}). ` +
        `Replay with SEED=${finding.seed}`,
    )
  }
  return finding
}

/** Throws when a mechanism that is broken on purpose is not caught. The seed is fixed unless given: this
 * shows the power of the attack, which a fresh seed would only make unreliable. Spends no alpha, as it cannot
 * fail by chance. */
export function expectViolation(check: PrivacyCheck): PrivacyFinding {
  const alpha = check.alpha ?? alphaDefault
  const finding = attack({ check, alpha, rng: check.rng ?? seededBits(`expect violation: ${check.name}`) })
  if (!finding.violation) {
    throw new Error(
      `${check.name}: not caught at epsilon ${check.epsilon}, delta ${check.delta}: the attack proves no more ` +
        `than ${finding.epsilonLower.toPrecision(4)}, on ${finding.event}`,
    )
  }
  return finding
}

interface Attack {
  readonly check: PrivacyCheck
  readonly alpha: number
  readonly rng: CheckBits
}

interface DirectedEvent extends OutcomeEvent {
  readonly likelierOn: "D" | "the neighbour"
}

function attack({ check, alpha, rng }: Attack): PrivacyFinding {
  const { epsilon, delta } = check
  const { events, draws } = chooseEvents(check, rng)
  const trials = Math.max(1, draws)
  const onD = drawMany(check.onD, { count: trials, rng })
  const onNeighbour = drawMany(check.onNeighbour, { count: trials, rng })
  // Each event needs one bound on either side, and any of them may fail.
  const alphaEachSide = alpha / (2 * events.length)
  const findings = events.map((event) => {
    const hits = onD.filter(event.contains).length
    const hitsOnNeighbour = onNeighbour.filter(event.contains).length
    const [count, countOnNeighbour] =
      event.likelierOn === "D" ? [hits, hitsOnNeighbour] : [hitsOnNeighbour, hits]
    const verdict = privacyVerdict({ count, countOnNeighbour, trials, epsilon, delta, alphaEachSide })
    return {
      epsilonLower: verdict.epsilonLower,
      violation: verdict.violation,
      event: `"${event.name}" (${hits} of ${trials} on D, ${hitsOnNeighbour} on the neighbour)`,
      seed: rng.seed ?? "of the given rng",
    }
  })
  const [first, ...rest] = findings
  if (first === undefined) throw new Error(`${check.name}: there is no event to try`)
  return rest.reduce((best, finding) => (finding.epsilonLower > best.epsilonLower ? finding : best), first)
}

/** Takes the given events, or learns them from the first half of the draws; says how many draws are left. */
function chooseEvents(
  check: PrivacyCheck,
  rng: RandomBits,
): { readonly events: readonly DirectedEvent[]; readonly draws: number } {
  const { delta, draws } = check
  if (check.events !== undefined) {
    const given = Object.entries(check.events).map(([name, contains]) => ({ name, contains }))
    return { events: [...directed(given, "D"), ...directed(given, "the neighbour")], draws }
  }
  const half = Math.floor(draws / 2)
  const onD = drawMany(check.onD, { count: half, rng })
  const onNeighbour = drawMany(check.onNeighbour, { count: half, rng })
  const forward = learnEvents({ onD, onNeighbour, delta })
  const backward = learnEvents({ onD: onNeighbour, onNeighbour: onD, delta })
  return { events: [...directed(forward, "D"), ...directed(backward, "the neighbour")], draws: draws - half }
}

function directed(
  events: readonly OutcomeEvent[],
  likelierOn: DirectedEvent["likelierOn"],
): readonly DirectedEvent[] {
  return events.map((event) => ({ ...event, likelierOn }))
}

function drawMany(
  draw: (rng: RandomBits) => Outcome,
  { count, rng }: { readonly count: number; readonly rng: RandomBits },
): readonly Outcome[] {
  return Array.from({ length: count }, () => draw(rng))
}
