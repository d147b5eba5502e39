import type { components } from '@moorage/client'
import { decimalsOf } from '@moorage/currencies'
import { boot } from '../../../api/boot.ts'

type Field = Pick<
  components['schemas']['SettingField'],
  'kind' | 'unit' | 'minimum' | 'maximum' | 'maximumItems' | 'pattern' | 'options'
>

export type SettingFault = 'integer' | 'range' | 'items' | 'form'

const BASIS_POINTS = 100

/** The divisor of the stored number for display: rates are entered in percent, amounts in the currency of the shop. */
export function scaleOf({ unit }: Pick<Field, 'unit'>): number {
  if (unit === 'cents') return 10 ** decimalsOf(boot.currency)
  return unit === 'basis_points' ? BASIS_POINTS : 1
}

/** Why the API would refuse a value; null if it accepts it. */
export function faultOf(field: Field, value: unknown): SettingFault | null {
  const values = valuesIn(value)
  if (field.maximumItems !== null && Array.isArray(value) && value.length > field.maximumItems) {
    return 'items'
  }
  for (const one of values) {
    const fault = field.kind.startsWith('number') ? ofNumber(field, one) : ofText(field, one)
    if (fault) return fault
  }
  return null
}

function valuesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value !== null && typeof value === 'object') return Object.values(value)
  return value === null || value === undefined || value === '' ? [] : [value]
}

function ofNumber({ minimum, maximum }: Field, value: unknown): SettingFault | null {
  if (!Number.isInteger(value)) return 'integer'
  const isBelow = minimum !== null && Number(value) < minimum
  return isBelow || (maximum !== null && Number(value) > maximum) ? 'range' : null
}

function ofText({ pattern, options }: Field, value: unknown): SettingFault | null {
  if (pattern === null || options !== null || typeof value !== 'string') return null
  return new RegExp(pattern, 'u').test(value) ? null : 'form'
}
