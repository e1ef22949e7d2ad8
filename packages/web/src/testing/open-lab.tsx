// The Lab, open at a chapter, and its sliders moved: for tests.

import { labCatalogues } from "../strings/lab-texts.ts"
import { pia } from "./house.ts"
import { openScreen, type OpenScreen } from "./open-screen.tsx"
import { LabPage } from "../screens/lab/lab.tsx"
import { labEpsilons } from "../screens/lab/parts/lab-model.ts"

/** Opens a chapter by its id; "" for the contents. */
export async function openLab(
  chapter: string,
  options: { readonly language?: "en" | "zh"; readonly kept?: Readonly<Record<string, unknown>> } = {},
): Promise<OpenScreen> {
  return openScreen(<LabPage />, { me: pia, path: `/lab/${chapter}`, ...options })
}

/** Moves a slider to the place of a value among its marks. */
export async function move(screen: OpenScreen, label: string, place: number): Promise<void> {
  const literal = label.replaceAll(/[()]/g, String.raw`\$&`)
  await screen.type(new RegExp(`^${literal}:`), `${place}`)
}

/** Moves the slider of the bar to one of its epsilons. */
export async function toEpsilon(screen: OpenScreen, epsilon: string): Promise<void> {
  await move(screen, labCatalogues.en.epsilon, labEpsilons.indexOf(epsilon))
}
