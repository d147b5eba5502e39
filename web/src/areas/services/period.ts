import type { Texts } from '../../texts/index.tsx'
import type { Service } from './reads.ts'

/** How often something is paid, such as "per month". */
export function perPeriod(
  { interval, intervalCount }: Pick<Service['plan'], 'interval' | 'intervalCount'>,
  { services }: Pick<Texts, 'services'>,
): string {
  return services.per[interval](intervalCount)
}

/** Until when a service is paid for or free: its current period, with the free days after it. */
export function paidUntil({
  freeUntil,
  currentPeriodEnd,
}: Pick<Service, 'freeUntil' | 'currentPeriodEnd'>): string | null {
  return freeUntil ?? currentPeriodEnd
}
