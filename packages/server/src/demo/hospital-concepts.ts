// The vocabulary of the made-up hospital, with OMOP's own numbers, and what is frequent in it.

/** Numbers and names, by domain. */
export const conceptNames: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  Gender: { 8507: "Male", 8532: "Female" },
  Visit: { 9201: "Inpatient visit", 9202: "Outpatient visit", 9203: "Emergency room visit" },
  Condition: {
    320128: "Essential hypertension",
    432867: "Hyperlipidemia",
    201826: "Type 2 diabetes mellitus",
    80180: "Osteoarthritis",
    440383: "Depressive disorder",
    317009: "Asthma",
    318800: "Gastroesophageal reflux disease",
    313217: "Atrial fibrillation",
    316139: "Heart failure",
    255573: "Chronic obstructive lung disease",
    46271022: "Chronic kidney disease",
    255848: "Pneumonia",
    4182210: "Dementia",
    4329847: "Myocardial infarction",
    381270: "Parkinson's disease",
    81893: "Ulcerative colitis",
    201606: "Crohn's disease",
    374919: "Multiple sclerosis",
    257628: "Systemic lupus erythematosus",
  },
  Drug: {
    1308216: "lisinopril",
    1545958: "atorvastatin",
    1503297: "metformin",
    1112807: "aspirin",
    1310149: "warfarin",
    956874: "furosemide",
    1154343: "albuterol",
    923645: "omeprazole",
    1125315: "acetaminophen",
  },
  Measurement: { 3004410: "Hemoglobin A1c", 3004249: "Systolic blood pressure" },
}

/** A condition, how many of 1000 have it, and the age from which it is. */
export const illnesses: readonly (readonly [concept: number, of1000: number, from: number])[] = [
  [320128, 240, 35],
  [432867, 170, 35],
  [201826, 130, 30],
  [80180, 100, 45],
  [440383, 90, 15],
  [317009, 70, 3],
  [318800, 60, 20],
  [313217, 40, 55],
  [316139, 34, 55],
  [255573, 30, 50],
  [46271022, 25, 50],
  [255848, 20, 0],
  [4182210, 12, 65],
  [4329847, 10, 45],
  [381270, 3, 60],
  [81893, 3, 15],
  [201606, 2, 15],
  [374919, 1, 20],
  [257628, 1, 15],
]

/** What is given for what; for all else acetaminophen. */
export const drugFor: Readonly<Record<number, number>> = {
  320128: 1308216,
  432867: 1545958,
  201826: 1503297,
  317009: 1154343,
  255573: 1154343,
  318800: 923645,
  313217: 1310149,
  316139: 956874,
  4329847: 1112807,
}
