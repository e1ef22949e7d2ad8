// What operators watch: requests by route and status, times in coarse buckets, questions under way, what is
// spent. Labels are names of routes and accounts, never anything that was asked.

import { numberUp } from "@dosimeter/core"
import { odometerOf, usedOf } from "@dosimeter/core/accounting"
import type { Ledger } from "@dosimeter/engine"
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import type { AnsweredRequest } from "./answered-request.ts"
import type { QuestionQueue } from "../../../questions/question-queue.ts"

/** Counts and shows. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Counter
  readonly #seconds: Histogram

  constructor({ ledger, queue }: { readonly ledger: Ledger; readonly queue: QuestionQueue }) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Counter({
      name: "dosimeter_requests_total",
      help: "Requests by route and status",
      labelNames: ["method", "route", "status"],
      registers,
    })
    this.#seconds = new Histogram({
      name: "dosimeter_request_seconds",
      help: "How long requests took, by route",
      labelNames: ["route"],
      buckets: [0.01, 0.1, 1, 10, 100],
      registers,
    })
    const running: Gauge = new Gauge({
      name: "dosimeter_questions_running",
      help: "Questions that are being answered",
      registers,
      collect: () => running.set(queue.running),
    })
    const spent: Gauge = new Gauge({
      name: "dosimeter_budget_spent_epsilon",
      help: "What is spent of each account, as epsilon",
      labelNames: ["account"],
      registers,
      collect: async () => {
        for (const account of await ledger.accounts()) {
          spent.set({ account: account.name }, numberUp(odometerOf(account).epsilon))
        }
      },
    })
    const used: Gauge = new Gauge({
      name: "dosimeter_budget_used_share",
      help: "How much of each account is used, from 0 to 1: of what runs out first",
      labelNames: ["account"],
      registers,
      collect: async () => {
        for (const account of await ledger.accounts()) {
          used.set({ account: account.name }, usedOf(account).share)
        }
      },
    })
  }

  /** A request was answered. */
  answered({ method, route, status, ms }: AnsweredRequest): void {
    this.#requests.inc({ method, route, status: `${status}` })
    this.#seconds.observe({ route }, ms / 1000)
  }

  /** In the form that Prometheus reads. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
