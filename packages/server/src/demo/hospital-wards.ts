// The wards of the made-up hospital trust: which there are is public.

interface Ward {
  readonly region: string
  readonly hospital: string
  readonly ward: string
}

/** Wards in the order of their ids, from 1. */
export const wards: readonly Ward[] = [
  { region: "North", hospital: "Elm", ward: "Medicine" },
  { region: "North", hospital: "Elm", ward: "Surgery" },
  { region: "North", hospital: "Elm", ward: "Children" },
  { region: "North", hospital: "Oak", ward: "Medicine" },
  { region: "North", hospital: "Oak", ward: "Surgery" },
  { region: "South", hospital: "Bay", ward: "Medicine" },
  { region: "South", hospital: "Bay", ward: "Surgery" },
  { region: "South", hospital: "Bay", ward: "Births" },
  { region: "South", hospital: "Dale", ward: "Medicine" },
]

/** The public table of wards. */
export function wardTable(): string {
  const rows = wards.map(
    ({ region, hospital, ward }, index) => `(${index + 1}, '${region}', '${hospital}', '${ward}')`,
  )
  return `CREATE TABLE wards AS
    SELECT id AS ward_id, region, hospital, ward
    FROM (VALUES ${rows.join(", ")}) AS listed (id, region, hospital, ward)`
}

/** The tree of wards, as the policy says it. */
export function siteTree(): string {
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)]
  const regions = distinct(wards.map(({ region }) => region)).map((region) => {
    const own = wards.filter((one) => one.region === region)
    const hospitals = distinct(own.map(({ hospital }) => hospital)).map((hospital) => {
      const names = own.filter((one) => one.hospital === hospital).map(({ ward }) => ward)
      return `${hospital}: [${names.join(", ")}]`
    })
    return `      ${region}: { ${hospitals.join(", ")} }`
  })
  return ["  site:", "    levels: [region, hospital, ward]", "    nodes:", ...regions].join("\n")
}
