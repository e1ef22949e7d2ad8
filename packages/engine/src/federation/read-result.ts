// The one decoder of an answer that a coordinator sends to its sites.

import { readAnswer, writeAnswer } from "@dosimeter/answers/shown/answer-text"
import {
  listOf,
  objectOf,
  readText,
  Unreadable,
  withField,
  wordOf,
  type Read,
} from "@dosimeter/answers/shown/read-fields"
import { readBounding } from "@dosimeter/answers/shown/receipt-text"
import { fail } from "../errors.ts"
import { readHash, readName } from "./envelope.ts"
import type { FederatedAnswer, FederatedReceipt } from "./federated-answer.ts"
import { jobModes, readModelOfJob } from "./job.ts"

/** The body of a result. */
export function resultBody({ answer, receipt }: FederatedAnswer): unknown {
  return { answer: writeAnswer(answer), receipt }
}

/** Reads the body of a result; whatever is not known is refused. */
export function readResult(body: unknown): FederatedAnswer {
  try {
    return readBody(body, "the result")
  } catch (error) {
    if (error instanceof Unreadable) return fail("federation/bad-message", { what: "is no result" })
    throw error
  }
}

const readCount: Read<number> = (found, at) => {
  if (typeof found !== "number" || !Number.isInteger(found) || found < 0)
    throw new Unreadable(`${at} is no count`)
  return found
}

const against = { epsilon: readText, delta: readText }

const readLoss = objectOf((loss) => ({
  accounting: loss.need("accounting", wordOf("pure", "zcdp")),
  amount: loss.need("amount", readText),
  delta: loss.need("delta", readText),
}))

const readReceipt: Read<FederatedReceipt> = objectOf(({ need, may }) => ({
  format: need("format", wordOf("dosimeter-federated/1")),
  job: need("job", readHash),
  study: need("study", readText),
  sql: need("sql", readText),
  ...withField("model", may("model", readModelOfJob)),
  layout: need("layout", readHash),
  mode: need("mode", wordOf(...jobModes)),
  unit: need("unit", readText),
  neighbours: need("neighbours", wordOf("add-or-remove", "replace")),
  loss: need("loss", readLoss),
  toPublic: need(
    "toPublic",
    objectOf((loss) => ({
      epsilon: loss.need("epsilon", against.epsilon),
      delta: loss.need("delta", against.delta),
    })),
  ),
  toSite: need(
    "toSite",
    objectOf((loss) => ({
      epsilon: loss.need("epsilon", against.epsilon),
      delta: loss.need("delta", against.delta),
      others: loss.need("others", readCount),
    })),
  ),
  toCoordinator: need(
    "toCoordinator",
    objectOf((loss) => ({
      epsilon: loss.need("epsilon", against.epsilon),
      delta: loss.need("delta", against.delta),
      colluding: loss.need("colluding", readCount),
    })),
  ),
  atSites: need(
    "atSites",
    listOf(
      objectOf((loss) => ({
        sites: loss.need("sites", readCount),
        epsilon: loss.need("epsilon", against.epsilon),
        delta: loss.need("delta", against.delta),
      })),
    ),
  ),
  survivors: need("survivors", listOf(readName)),
  lost: need("lost", listOf(readName)),
  honest: need("honest", readCount),
  mechanisms: need(
    "mechanisms",
    listOf(
      objectOf((of) => ({
        column: of.need("column", readText),
        mechanism: of.need("mechanism", readText),
        ...withField("scale", of.may("scale", readText)),
        ...withField("sensitivity", of.may("sensitivity", readText)),
        ...withField("grid", of.may("grid", readText)),
      })),
    ),
  ),
  bounding: need("bounding", listOf(readBounding)),
  public: need("public", listOf(readText)),
  notes: need("notes", listOf(readText)),
  library: need("library", readText),
}))

const readBody: Read<FederatedAnswer> = objectOf(({ need }) => ({
  answer: need("answer", (found, at) => readAnswer(readText(found, at))),
  receipt: need("receipt", readReceipt),
}))
