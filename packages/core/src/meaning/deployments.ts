// Losses that others have published, to compare with. What is hidden differs: a loss for a day of somebody's
// use says little about a person's whole life in a register.

/** A deployment with its published loss. */
export interface PublishedDeployment {
  readonly name: string
  readonly by: string
  /** What is hidden: "user-day", "person". */
  readonly unit: string
  readonly epsilon: number
  readonly delta?: number
  readonly model: "central" | "local"
  readonly source: string
}

const registry = "https://registry.opendp.org/deployments-registry"
const list = "https://desfontain.es/blog/real-world-differential-privacy.html"

/** In the order of their epsilons. */
export const publishedDeployments: readonly PublishedDeployment[] = [
  {
    name: "COVID-19 search trends symptoms",
    by: "Google",
    unit: "user-day",
    epsilon: 1.68,
    model: "central",
    source: registry,
  },
  {
    name: "Health type usage",
    by: "Apple",
    unit: "user-day",
    epsilon: 2,
    model: "local",
    source: list,
  },
  {
    name: "Community mobility reports",
    by: "Google",
    unit: "user-day",
    epsilon: 2.64,
    model: "central",
    source: registry,
  },
  {
    name: "Assistive AI",
    by: "Microsoft",
    unit: "user",
    epsilon: 4,
    delta: 1e-7,
    model: "central",
    source: registry,
  },
  {
    name: "Live births of 2014, synthetic",
    by: "Israeli Ministry of Health",
    unit: "birth",
    epsilon: 9.98,
    model: "central",
    source: registry,
  },
  {
    name: "Victims of trafficking, synthetic",
    by: "IOM and Microsoft",
    unit: "person",
    epsilon: 12,
    delta: 5.8e-6,
    model: "central",
    source: registry,
  },
  {
    name: "Audience engagement",
    by: "LinkedIn",
    unit: "user-month",
    epsilon: 34.9,
    delta: 7e-9,
    model: "central",
    source: registry,
  },
]
