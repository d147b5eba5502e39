import { decimalsOf } from '@moorage/currencies'
import { type Locale, regionOf } from '@moorage/languages'
import { useState } from 'react'
import { useLocale, useTexts } from '../texts/index.tsx'
import { TextInput } from './kit.ts'

type MoneyFieldProps = {
  readonly label: string
  readonly currency: string
  /** In the smallest unit; null if the text is not an amount. */
  readonly cents: number | null
  readonly onCents: (cents: number | null) => void
  readonly description?: string
  readonly error?: string | undefined
  readonly required?: boolean
  /** Accepts negative amounts. */
  readonly isSigned?: boolean
  readonly name?: string
  /** On blur, an amount outside these limits becomes the nearest one inside. */
  readonly limits?: { readonly minimumCents: number; readonly maximumCents: number }
}

/** An amount field that accepts a decimal comma or point. */
export function MoneyField(props: MoneyFieldProps) {
  const { label, currency, cents, onCents, limits, ...others } = props
  const { isSigned = false, ...rest } = others
  const { common } = useTexts()
  const locale = useLocale()
  const decimals = decimalsOf(currency)
  const written = cents === null ? '' : writtenOf(cents, decimals, locale)
  const [text, setText] = useState(written)
  const typed = centsIn(text, decimals)
  // Changed from outside: another object, a discarded draft.
  if (typed !== cents && !(cents === null && text.trim() !== '')) setText(written)
  const isWrong = text.trim() !== '' && (typed === null || (typed < 0 && !isSigned))
  return (
    <TextInput
      {...rest}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      error={
        isWrong
          ? common.amountWrong(writtenOf(125 * 10 ** Math.max(0, decimals - 1), decimals, locale))
          : rest.error
      }
      rightSection={<span className="sub">{currency}</span>}
      rightSectionWidth={48}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        const value = centsIn(next, decimals)
        onCents(value !== null && (value >= 0 || isSigned) ? value : null)
      }}
      onBlur={() => {
        if (!limits || cents === null) return
        onCents(Math.min(Math.max(cents, limits.minimumCents), limits.maximumCents))
      }}
    />
  )
}

/**
 * Text to the smallest unit of a currency with this many decimals, without floating-point fractions in between;
 * null if it is not an amount.
 */
function centsIn(text: string, decimals: number): number | null {
  const found = /^([-−]?)(\d{1,10})(?:[.,](\d+))?$/.exec(text.replaceAll(/\s/gu, ''))
  const [, sign, whole = '', fraction = ''] = found ?? []
  if (!found || fraction.length > decimals) return null
  const cents = Number(whole + fraction.padEnd(decimals, '0'))
  return sign ? -cents : cents
}

function writtenOf(cents: number, decimals: number, locale: Locale): string {
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const parts = new Intl.NumberFormat(regionOf(locale)).formatToParts(1.5)
  const separator = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const fraction = decimals > 0 ? `${separator}${digits.slice(point)}` : ''
  return `${cents < 0 ? '-' : ''}${digits.slice(0, point)}${fraction}`
}
