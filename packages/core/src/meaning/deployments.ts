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
  /** Where the figures stand: the publisher's own text, or else a kept list of deployments. */
  readonly source: string
}

const list = "https://desfontain.es/blog/real-world-differential-privacy.html"

/** In the order of their epsilons. */
export const publishedDeployments: readonly PublishedDeployment[] = [
  {
    name: "Page views by country, 2015 to 2017",
    by: "Wikimedia",
    unit: "300 views a day",
    epsilon: 1,
    model: "central",
    source:
      "https://analytics.wikimedia.org/published/datasets/country_project_page_historical_pre_2017/00_README.html",
  },
  {
    name: "COVID-19 search trends symptoms",
    by: "Google",
    unit: "user-day",
    epsilon: 1.68,
    model: "central",
    source: "https://arxiv.org/abs/2009.01265",
  },
  {
    name: "Health type usage",
    by: "Apple",
    unit: "user-day",
    epsilon: 2,
    model: "local",
    source: "https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
  },
  {
    name: "COVID-19 vaccination search insights",
    by: "Google",
    unit: "user-day",
    epsilon: 2.19,
    delta: 1e-5,
    model: "central",
    source: "https://arxiv.org/abs/2107.01179",
  },
  {
    name: "Community mobility reports",
    by: "Google",
    unit: "user-day",
    epsilon: 2.64,
    model: "central",
    source: "https://arxiv.org/abs/2004.04145",
  },
  {
    name: "Assistive AI",
    by: "Microsoft",
    unit: "user",
    epsilon: 4,
    delta: 1e-7,
    model: "central",
    source: list,
  },
  {
    name: "Live births of 2014, synthetic",
    by: "Israeli Ministry of Health",
    unit: "birth",
    epsilon: 9.98,
    model: "central",
    source: "https://arxiv.org/abs/2405.00267",
  },
  {
    name: "Victims of trafficking, synthetic",
    by: "IOM and Microsoft",
    unit: "person",
    epsilon: 12,
    delta: 5.8e-6,
    model: "central",
    source: list,
  },
  {
    name: "Census of 2020, redistricting, persons",
    by: "US Census Bureau",
    unit: "person",
    epsilon: 17.14,
    delta: 1e-10,
    model: "central",
    source: "https://hdsr.mitpress.mit.edu/pub/7evz361i",
  },
  {
    name: "Audience engagement",
    by: "LinkedIn",
    unit: "user-month",
    epsilon: 34.9,
    delta: 7e-9,
    model: "central",
    source: "https://arxiv.org/abs/2002.05839",
  },
]
