import { formatsOf } from '../parts/formats.ts'
import type { Texts } from '../texts/index.ts'
import type { Product } from './catalogue.ts'

/** A fact by which sizes are compared. */
export type Fact = keyof Texts['comparePage']['facts']

/** The sizes that options can add to and that pages show. */
export type SizeName = 'memoryMb' | 'cpuPercent' | 'diskMb' | 'backups'
export type Sizes = Readonly<Record<SizeName, number>>

/** One size in words. A count of 0 means that the panel sets no limit, so nothing can be promised. */
type Size = {
  readonly name: SizeName
  readonly fact: Fact
  /** The count without what options add. */
  readonly own: number
  readonly count: number
  /** How much of the count is one printed unit. */
  readonly per: number
  /** Printed behind the number. */
  readonly unit: string | null
  readonly value: string
  readonly labelFor: (shown: number) => string
  readonly label: string
}

const NOTHING: Sizes = { memoryMb: 0, cpuPercent: 0, diskMb: 0, backups: 0 }

/** The sizes of a product's servers with what is added to them: memory, processors, disk, backups. */
export function allSizesOf(
  texts: Texts,
  { provisioning }: Pick<Product, 'provisioning'>,
  added: Sizes = NOTHING,
): Size[] {
  if (!provisioning) return []
  const { product } = texts
  const { number } = formatsOf(texts)
  const { limits, featureLimits } = provisioning
  const size = (
    name: SizeName,
    own: number,
    {
      per = 1,
      unit = null,
      ...said
    }: Pick<Size, 'fact' | 'labelFor'> & Partial<Pick<Size, 'per' | 'unit'>>,
  ): Size => {
    const count = own + added[name]
    const shown = count / per
    const value = unit === null ? number(shown) : `${number(shown)} ${unit}`
    return { ...{ name, own, count, per, unit, value }, ...said, label: said.labelFor(shown) }
  }
  const gigabytes = { per: 1024, unit: product.gigabytes }
  return [
    size('memoryMb', limits.memoryMb, {
      ...{ ...gigabytes, fact: 'memory' as const, labelFor: () => product.memory },
    }),
    size('cpuPercent', limits.cpuPercent, { per: 100, fact: 'cores', labelFor: product.cores }),
    size('diskMb', limits.diskMb, {
      ...{ ...gigabytes, fact: 'disk' as const, labelFor: () => product.disk },
    }),
    size('backups', featureLimits.backups, { fact: 'backups', labelFor: product.backups }),
  ]
}

/** What a server of a product has, in words. */
export function sizesOf(texts: Texts, product: Pick<Product, 'provisioning'>): Size[] {
  return allSizesOf(texts, product).filter(({ count }) => count > 0)
}
