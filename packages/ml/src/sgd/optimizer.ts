// From noisy gradients to weights: momentum and Adam. Functions of what is released, and of nothing else.

import type { Optimizer } from "./network.ts"

/** The share of the last direction that a step keeps. */
const inertia = 0.9
const [firstDecay, secondDecay, tiny] = [0.9, 0.999, 1e-8]

/** Moves weights, step by step. */
export class Mover {
  readonly #optimizer: Optimizer
  readonly #direction: Float64Array
  readonly #squares: Float64Array
  #steps = 0

  constructor(optimizer: Optimizer, count: number) {
    this.#optimizer = optimizer
    this.#direction = new Float64Array(count)
    this.#squares = new Float64Array(optimizer.kind === "adam" ? count : 0)
  }

  /** Moves weights against a noisy gradient, which is `gradients` times `scale`. */
  move(weights: Float64Array, gradients: Float64Array, scale: number): void {
    this.#steps += 1
    if (this.#optimizer.kind === "momentum") this.#moveOn(weights, gradients, scale)
    else this.#moveByAdam(weights, gradients, scale)
  }

  #moveOn(weights: Float64Array, gradients: Float64Array, scale: number): void {
    const rate = this.#optimizer.rate * (1 - inertia)
    for (let at = 0; at < weights.length; at += 1) {
      const direction = inertia * (this.#direction[at] ?? 0) + (gradients[at] ?? 0) * scale
      this.#direction[at] = direction
      weights[at] = (weights[at] ?? 0) - rate * direction
    }
  }

  #moveByAdam(weights: Float64Array, gradients: Float64Array, scale: number): void {
    const rate =
      (this.#optimizer.rate * Math.sqrt(1 - secondDecay ** this.#steps)) / (1 - firstDecay ** this.#steps)
    for (let at = 0; at < weights.length; at += 1) {
      const gradient = (gradients[at] ?? 0) * scale
      const direction = firstDecay * (this.#direction[at] ?? 0) + (1 - firstDecay) * gradient
      const square = secondDecay * (this.#squares[at] ?? 0) + (1 - secondDecay) * gradient * gradient
      this.#direction[at] = direction
      this.#squares[at] = square
      weights[at] = (weights[at] ?? 0) - (rate * direction) / (Math.sqrt(square) + tiny)
    }
  }
}
