import type { TestContext, TestFn, TestOptions } from 'node:test'

/**
 * What test files get for `node:test` when many of them run in one process: what one of them
 * declares at its top level is kept to that file.
 */
type Declared = { name: string; options: TestOptions; run: TestFn }
type Hook = () => unknown

let context: TestContext
let declared: Declared[]

/** Starts a file: from here on, what is declared belongs to `t`. Gives the list it will be in. */
export function openFile(t: TestContext): readonly Declared[] {
  context = t
  declared = []
  return declared
}

export function test(name: string, ...rest: [TestFn] | [TestOptions, TestFn]): void {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
  declared.push({ name, options, run })
}

export const before = (hook: Hook): void => context.before(async () => void (await hook()))
export const after = (hook: Hook): void => context.after(async () => void (await hook()))
export const beforeEach = (hook: Hook): void => context.beforeEach(async () => void (await hook()))
export const afterEach = (hook: Hook): void => context.afterEach(async () => void (await hook()))
