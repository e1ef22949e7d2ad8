// The plan of a federated question, made by the coordinator from the study's catalog and by each site from
// its own: refused where sites could not add up what it measures, and compared by a hash of its layout.

import { DosimeterError, showParameter } from "@dosimeter/core"
import { compare, rational, showRational, type Rational } from "@dosimeter/core/exact"
import type { ShareSpec } from "@dosimeter/core/distributed"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import type { Policy } from "@dosimeter/policy/file/policy"
import { inputsOf } from "@dosimeter/proof/algebra/walk"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { learningOf } from "../ask/learning-of.ts"
import { fail } from "../errors.ts"
import { sharesOf } from "../release/release-shares.ts"
import type { PlannedModel } from "../training/plan-training.ts"
import type { JobAsk, JobLoss } from "./job.ts"
import { layoutOf } from "./layout.ts"
import { overViews, type ViewedSql } from "./views.ts"

/** What a question is compiled against: a study's catalog, or a site's own. */
export interface PlanningAt {
  readonly policy: Pick<Policy, "catalog" | "terms">
  readonly grammar: Grammar
  readonly prepared?: readonly PreparedTable[]
}

/** A question that sites can answer together. */
export interface JobPlan {
  readonly plan: VerifiedPlan
  /** Equal for plans whose vectors can be added up, number by number, and read in the same way. */
  readonly layout: string
  readonly loss: JobLoss
  /**
   * The noise of each measurement, in shares for so many honest sites; of a model, of each kind of its sums.
   */
  readonly shares: readonly ShareSpec[]
  /** Of a regression: what its rounds are, and what they ask for. */
  readonly model?: PlannedModel
}

/** Plans a question; refused with what to write instead where it cannot be summed over sites. */
export function planJob(question: string | ViewedSql, ask: JobAsk, honest: number, at: PlanningAt): JobPlan {
  const options = optionsOf(ask, at)
  const sql = typeof question === "string" ? question : overViews(question, at.grammar)
  const { norms, bounds } = learningOf(sql, options)
  if (norms !== undefined || bounds !== undefined) {
    refuse("bounds that are learnt first", "declare min and max of the columns in the study's catalog")
  }
  const { plan, isExplain } = compile(sql, options)
  if (isExplain) refuse("EXPLAIN", "ask the question itself: what it costs is shown before it is approved")
  const loss = checkFederated(plan)
  return { plan, layout: layoutOf(plan), loss, shares: sharesOf(plan, honest) }
}

/** What a job is compiled with: its own terms within the owner's. */
export function optionsOf(ask: JobAsk, { policy, grammar, prepared = [] }: PlanningAt): CompileOptions {
  const { catalog, terms } = policy
  const { shownFrom: own, ...others } = terms
  const shownFrom = BigInt(ask.shownFrom)
  if (own !== undefined && own > shownFrom) fail("federation/shows-too-little", { least: `${own}` })
  // At a larger delta the same epsilon would buy more than the owner's limit means.
  if (compare(amountOf(ask.delta), terms.question.delta) > 0) {
    fail("federation/not-for-us", { what: `its delta is above ${showParameter(terms.question.delta)}` })
  }
  return {
    grammar,
    catalog,
    prepared,
    terms: {
      ...others,
      ...(shownFrom === 0n ? {} : { shownFrom }),
      question: {
        ...terms.question,
        delta: amountOf(ask.delta),
        confidence: amountOf(ask.confidence),
      },
    },
    ask: {
      epsilon: amountOf(ask.epsilon),
      groupsPerUnit: BigInt(ask.groupsPerUnit),
      rowsPerGroup: BigInt(ask.rowsPerGroup),
      autoGroups: false,
      largest: "measured",
      norm: "fixed",
    },
  }
}

/**
 * What a plan costs each site; refused where its noise cannot be shared or its answer needs more than sums.
 *
 * Guarantee: every number of a plan that passes is a linear combination of integers of listed groups, with
 *   noise whose shares have a proven loss in the measure of the plan's charge.
 * Needs: lossOfShares states the losses that are proven: zCDP for both laws, epsilon for Laplace.
 * Proof: by cases: groups that are none or listed; measurements that are linear and not drawn step by step;
 *   epsilon or rho as what is added up. Under epsilon alone a plan has no Gaussian noise (verify: it has no
 *   such loss). All else is refused.
 * Numerics: none.
 * Source: none.
 */
export function checkFederated(plan: VerifiedPlan): JobLoss {
  const { accounting, amount, delta } = plan.charge
  if (accounting !== "zcdp" && accounting !== "pure") {
    return refuse(`${accounting} accounting`, "give the datasets accounts in zcdp or pure epsilon")
  }
  if (plan.releases.length === 0 || plan.releases.some(({ extracts }) => extracts.length === 0)) {
    refuse("a question about public tables", "ask it where the tables are: it costs nothing")
  }
  if (plan.consent !== undefined) {
    refuse("data of people who are asked first", "ask at each site by itself, where their decisions are")
  }
  for (const release of plan.releases) checkRelease(release)
  if (scans(plan.post)) {
    refuse("a join of the answer with a public table", "leave the join out, and join the answer afterwards")
  }
  return { accounting, amount: showRational(amount), delta: showRational(delta) }
}

function checkRelease({ keys, measurements }: Release): void {
  if (keys.kind === "private") {
    refuse("groups that come from the data", "list them as values: of the column in the study's catalog")
  }
  if (keys.kind === "top") {
    refuse("a choice of the largest groups", "list the groups as values: of the column in the catalog")
  }
  for (const measurement of measurements) {
    if (measurement.kind === "choice") {
      refuse(
        measurement.label,
        measurement.choice.kind === "mode"
          ? "count by the column, and take the group with the largest count"
          : "count by bands of the value, such as GROUP BY FLOOR(age / 5), and read quantiles from the counts",
      )
    } else if (measurement.strategy.kind === "totals") {
      refuse("running totals", "ask for each period by itself")
    }
  }
}

function scans(rel: Rel): boolean {
  return rel.kind === "scan" || inputsOf(rel).some(scans)
}

/** Refuses a question or a model that several sites cannot answer. */
export function refuse(what: string, remedy: string): never {
  return fail("federation/not-a-sum", { what, remedy })
}

/** The code of what was thrown before anything was read: a site may tell it to its coordinator. */
export function codeOf(error: unknown): string {
  return error instanceof DosimeterError ? error.code : "bug/unexpected"
}

/** An amount that was written as an exact text. */
export function amountOf(text: string): Rational {
  const [numerator = "0", denominator = "1"] = text.split("/")
  return rational(BigInt(numerator), BigInt(denominator))
}
