import type { LeadTimes } from '#lib/periods.ts'
import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { serviceSettings } from '../settings.ts'
import type { DunningTerms } from './dunning.ts'

/** How a tenant renews services: how long ahead, and what happens if a renewal is not paid. */
export type TenantTerms = { readonly leads: LeadTimes; readonly dunning: DunningTerms }

/** The terms of a tenant, from its settings (R4.4, R4.6). */
export async function tenantTermsOf(db: Db, tenantId: string): Promise<TenantTerms> {
  const set = await settingsOf(db, tenantId, serviceSettings)
  const { weekLeadDays: weekDays, monthLeadDays: monthDays, longerLeadDays: longerDays } = set
  const { suspendDays, terminateDays, deleteDataDays } = set
  return {
    leads: { weekDays, monthDays, longerDays },
    dunning: {
      attemptDays: ascending(set.chargeDays),
      reminderDays: ascending(set.reminderDays),
      ...{ suspendDays, terminateDays, deleteDataDays },
    },
  }
}

function ascending(days: readonly number[]): number[] {
  return [...days].sort((a, b) => a - b)
}
