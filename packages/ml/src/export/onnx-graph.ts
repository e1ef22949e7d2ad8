// A computation as an ONNX model: constants, steps in their order, one input and one output of so many rows.
// Field numbers are those of onnx.proto3; https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3

import { bytesField, messageOf, wholeField, type Field } from "./protobuf.ts"

/** What all numbers of a graph are. */
export type OnnxNumbers = "float" | "double"

/** A table of constants. */
interface Constant {
  readonly name: string
  readonly dims: readonly number[]
  readonly values: ArrayLike<number>
}

const elementTypes: Readonly<Record<OnnxNumbers, number>> = { float: 1, double: 11 }
const bytesOfElement: Readonly<Record<OnnxNumbers, number>> = { float: 4, double: 8 }
/** The version of the file format, and of the operators: what runtimes since 2021 read. */
const [formatVersion, operatorVersion] = [8, 15]

/** A graph while it is written. Each step takes names and gives one. */
export class OnnxGraph {
  readonly #numbers: OnnxNumbers
  readonly #constants: Constant[] = []
  readonly #steps: Field[] = []

  constructor(numbers: OnnxNumbers) {
    this.#numbers = numbers
  }

  /** Takes in a table of constants; gives its name. */
  constant(name: string, dims: readonly number[], values: ArrayLike<number>): string {
    this.#constants.push({ name, dims, values })
    return name
  }

  /** One operator on named values; gives the name of its result. */
  step(operator: string, inputs: readonly string[], output: string): string {
    this.#steps.push(
      bytesField(1, [
        ...inputs.map((input) => bytesField(1, input)),
        bytesField(2, output),
        bytesField(3, `${operator} ${output}`),
        bytesField(4, operator),
      ]),
    )
    return output
  }

  /** The file: one input and one output, a row for each row. */
  model(of: {
    readonly name: string
    readonly input: readonly [string, number]
    readonly output: readonly [string, number]
    readonly notes: Readonly<Record<string, string>>
  }): Uint8Array {
    const graph = [
      ...this.#steps,
      bytesField(2, of.name),
      ...this.#constants.map((constant) => bytesField(5, this.#tensor(constant))),
      bytesField(11, this.#rowsOf(...of.input)),
      bytesField(12, this.#rowsOf(...of.output)),
    ]
    return messageOf([
      wholeField(1, formatVersion),
      bytesField(2, "Dosimeter"),
      bytesField(7, graph),
      bytesField(8, [wholeField(2, operatorVersion)]),
      ...Object.entries(of.notes).map(([key, value]) =>
        bytesField(14, [bytesField(1, key), bytesField(2, value)]),
      ),
    ])
  }

  #tensor({ name, dims, values }: Constant): readonly Field[] {
    const size = bytesOfElement[this.#numbers]
    const view = new DataView(new ArrayBuffer(size * values.length))
    for (let at = 0; at < values.length; at += 1) {
      if (this.#numbers === "float") view.setFloat32(size * at, values[at] ?? 0, true)
      else view.setFloat64(size * at, values[at] ?? 0, true)
    }
    return [
      ...dims.map((dim) => wholeField(1, dim)),
      wholeField(2, elementTypes[this.#numbers]),
      bytesField(8, name),
      bytesField(9, new Uint8Array(view.buffer)),
    ]
  }

  /** A value of any number of rows, and of so many columns. */
  #rowsOf(name: string, columns: number): readonly Field[] {
    const shape = [bytesField(1, [bytesField(2, "rows")]), bytesField(1, [wholeField(1, columns)])]
    const type = [wholeField(1, elementTypes[this.#numbers]), bytesField(2, shape)]
    return [bytesField(1, name), bytesField(2, [bytesField(1, type)])]
  }
}
