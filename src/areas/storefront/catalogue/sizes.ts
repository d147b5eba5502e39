import { formatsOf } from '../parts/formats.ts'
import type { Texts } from '../texts/index.ts'
import type { Product } from './catalogue.ts'

const MIB_PER_GIB = 1024

/** What sizes are compared by. */
export type Fact = keyof Texts['comparePage']['facts']

/** What a server of a product has, in words: memory, processors, disk, backups. */
export function sizesOf(
  texts: Texts,
  { provisioning }: Pick<Product, 'provisioning'>,
): { fact: Fact; value: string; label: string }[] {
  if (!provisioning) return []
  const { product } = texts
  const { number } = formatsOf(texts)
  const cores = provisioning.limits.cpuPercent / 100
  const { memoryMb, diskMb, cpuPercent } = provisioning.limits
  const gigabytes = (mebibytes: number) => `${number(mebibytes / MIB_PER_GIB)} ${product.gigabytes}`
  const { backups } = provisioning.featureLimits
  // A limit of 0 means that the panel sets none: nothing that can be promised.
  const facts: { fact: Fact; count: number; value: string; label: string }[] = [
    { fact: 'memory', count: memoryMb, value: gigabytes(memoryMb), label: product.memory },
    { fact: 'cores', count: cpuPercent, value: number(cores), label: product.cores(cores) },
    { fact: 'disk', count: diskMb, value: gigabytes(diskMb), label: product.disk },
    { fact: 'backups', count: backups, value: number(backups), label: product.backups(backups) },
  ]
  return facts.filter(({ count }) => count > 0)
}
