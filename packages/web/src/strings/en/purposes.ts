// What data may be used for, in plain English, by the codes of the Data Use Ontology.

/** The name of a purpose, and what it means to somebody in the data. */
export interface PurposeText {
  readonly name: string
  readonly means: string
}

// Purposes and conditions by their codes.
const texts = {
  "DUO:0000004": { name: "no restriction", means: "Any use at all, research or not." },
  "DUO:0000042": {
    name: "general research use",
    means: "Research of every kind, about health or anything else.",
  },
  "DUO:0000006": {
    name: "health, medical or biomedical research",
    means: "Research that is about health and illness, and not about where people come from.",
  },
  "DUO:0000007": { name: "disease-specific research", means: "Research about one named illness." },
  "DUO:0000011": {
    name: "population origins or ancestry research",
    means: "Research about descent and where groups of people come from.",
  },
  "DUO:0000012": { name: "specific research only", means: "Only the research that is named." },
  "DUO:0000018": {
    name: "not for profit, non-commercial use only",
    means: "Only organisations that make no profit, and only uses that make none.",
  },
  "DUO:0000019": { name: "publication required", means: "What is found has to be published." },
  "DUO:0000020": { name: "collaboration required", means: "Together with those who collected the data." },
  "DUO:0000021": { name: "ethics approval required", means: "An ethics board has to agree first." },
  "DUO:0000025": { name: "time limit on use", means: "Only for a time that is stated." },
  "DUO:0000044": {
    name: "population origins or ancestry research prohibited",
    means: "Not for research about descent.",
  },
  "DUO:0000046": { name: "non-commercial use only", means: "Only uses that make no profit." },
} satisfies Readonly<Record<string, PurposeText>>

/** The same codes in any language. */
export type PurposeTexts = Readonly<Record<keyof typeof texts, PurposeText>>

/** In English. */
export const purposesEn: PurposeTexts = texts
