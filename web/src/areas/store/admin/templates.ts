import type { components } from '@moorage/client'

type Egg = components['schemas']['Egg']
export type SizeName = 'small' | 'medium' | 'large'
export const SIZES: readonly SizeName[] = ['small', 'medium', 'large']

/** Games by words in the names of their eggs, with the memory of each size in GB. */
const GAMES: readonly {
  words: RegExp
  game: string | null
  memory: readonly [number, number, number]
}[] = [
  {
    words: /minecraft|paper|spigot|purpur|vanilla|forge|fabric|bungee|velocity|sponge|bedrock/i,
    ...{ game: 'Minecraft', memory: [4, 8, 12] },
  },
  { words: /rust/i, game: 'Rust', memory: [8, 12, 16] },
  { words: /palworld/i, game: 'Palworld', memory: [12, 16, 24] },
  { words: /ark/i, game: 'ARK', memory: [10, 14, 20] },
  { words: /valheim/i, game: 'Valheim', memory: [4, 6, 8] },
  { words: /factorio|terraria|teamspeak|mumble/i, game: null, memory: [1, 2, 4] },
]
const USUAL: readonly [number, number, number] = [2, 4, 8]
const MB = 1024
const DISK_PER_MEMORY = 5
/** The price of one GB of memory per month, in hundredths of the main unit. */
const GIGABYTE_PRICE = 125

/** The name of the game of an egg: eggs of one game share a category. */
export function gameOf({ name }: Pick<Egg, 'name'>): string {
  return GAMES.find(({ words }) => words.test(name))?.game ?? name
}

/** Suggested limits for a game in this size. */
export function limitsFor({ name }: Pick<Egg, 'name'>, size: SizeName) {
  const memories = GAMES.find(({ words }) => words.test(name))?.memory ?? USUAL
  const memory = memories[SIZES.indexOf(size)] ?? USUAL[1]
  return {
    memoryMb: memory * MB,
    diskMb: memory * DISK_PER_MEMORY * MB,
    cpuPercent: memory >= 8 ? 300 : memory >= 4 ? 200 : 100,
    swapMb: 0,
    io: 500,
  }
}

/** A suggested monthly price for a size, in the smallest unit. */
export function priceFor(memoryMb: number, digits: number): number {
  const hundredths = Math.max(200, Math.round((memoryMb / MB) * GIGABYTE_PRICE))
  // The price ends in 99; currencies without cents get whole units.
  const rounded = Math.ceil(hundredths / 100) * 100 - 1
  return digits === 0 ? Math.ceil(hundredths / 100) * 100 : rounded
}

/** Required variables without a value. */
export function unfilledVariables({ variables }: Pick<Egg, 'variables'>) {
  return variables.filter(
    ({ rules, default: standard }) => rules.includes('required') && standard === '',
  )
}
