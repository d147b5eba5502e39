import type { Texts } from '../../texts/index.tsx'
import type { Service } from './reads.ts'

/** How often something is paid, such as "per month". */
export function perPeriod(
  { interval, intervalCount }: Pick<Service['plan'], 'interval' | 'intervalCount'>,
  { services }: Pick<Texts, 'services'>,
): string {
  return services.per[interval](intervalCount)
}
