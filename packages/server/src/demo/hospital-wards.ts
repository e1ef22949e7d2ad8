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
