/** What `fuzz.deep.test.ts` sends, a hundred and fifty requests to each route, of another seed every time. */
const RUNS = Math.ceil(90 * Number(process.env.SCALE ?? 1))
process.env.FUZZ_RUNS ??= String(RUNS)
process.env.FUZZ_SEED ??= String(Math.floor(Math.random() * 2 ** 31))
console.log(`FUZZ_SEED=${process.env.FUZZ_SEED}`)
await import('./fuzz.deep.test.ts')
