import { Button, type ButtonProps, CopyButton } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type CSSProperties, Fragment, type ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import * as I from './icons.ts'

export type Icon = typeof I.Home
/** The tone of a state. It is always shown with a word, never as a colour alone. */
export type Tone = 'active' | 'waiting' | 'attention' | 'failed' | 'ended'

type AnchorProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>

function PlainLink(props: AnchorProps) {
  return <Button component="a" {...props} />
}

/** A link that looks like a button, and still is a link: middle click, copied address. */
export const LinkButton = createLink(PlainLink)

type CardProps = {
  readonly title?: ReactNode
  /** Shown at the right of the title. */
  readonly right?: ReactNode
  /** The content reaches the borders, as a table does. */
  readonly flush?: boolean
  readonly children: ReactNode
}

export function Card({ title, right, flush = false, children }: CardProps) {
  return (
    <section className={flush ? 'card flush' : 'card'}>
      {title ? (
        <div className="card-head">
          <h2>{title}</h2>
          {right ? <div className="right">{right}</div> : null}
        </div>
      ) : null}
      <div className="card-body">{children}</div>
    </section>
  )
}

export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`tone t-${tone}`}>{children}</span>
}

export function Dot({ tone, pulse = false }: { tone: Tone; pulse?: boolean }) {
  return <span aria-hidden className={`dot t-${tone}${pulse ? ' pulse' : ''}`} />
}

type NoticeProps = {
  readonly tone: Tone
  readonly title: ReactNode
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** A sentence that must not be missed, with what to do about it. */
export function Notice({ tone, title, action, children }: NoticeProps) {
  const Sign = tone === 'attention' || tone === 'failed' ? I.AlertTriangle : I.InfoCircle
  return (
    <div className={`notice wide t-${tone}`} role="status">
      <Sign className="icon" size={18} stroke={1.9} aria-hidden />
      <div className="grow">
        <strong>{title}</strong>
        {children}
      </div>
      {action}
    </div>
  )
}

type CopyProps = { readonly value: string; readonly label: string; readonly big?: boolean }

/** A value with a button that copies it. `label` describes the value. */
export function Copy({ value, label, big = false }: CopyProps) {
  const { common } = useTexts()
  return (
    <CopyButton value={value} timeout={1600}>
      {({ copied, copy }) => (
        <button
          type="button"
          className={`copy${big ? ' big' : ''}${copied ? ' done' : ''}`}
          onClick={copy}
          aria-label={`${copied ? common.copied : common.copy}: ${label} ${value}`}
        >
          <span className="cut num">{value}</span>
          {copied ? (
            <I.Check className="icon" size={15} stroke={2} aria-hidden />
          ) : (
            <I.Copy className="icon" size={15} stroke={1.75} aria-hidden />
          )}
        </button>
      )}
    </CopyButton>
  )
}

type Fact = readonly [label: ReactNode, value: ReactNode]

/** Labels and values below each other. */
export function Facts({ rows, left = false }: { rows: readonly Fact[]; left?: boolean }) {
  return (
    <dl className={left ? 'facts left' : 'facts'}>
      {rows.map(([label, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of facts neither move nor hold state.
        <Fragment key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

export function Avatar({ name, size = 28 }: { name: string; size?: number }) {
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .slice(0, 2)
    .join('')
  return (
    <span
      aria-hidden
      className="avatar"
      style={{ width: size, height: size, fontSize: size * 0.38 }}
    >
      {initials}
    </span>
  )
}

type EmblemProps = {
  readonly name: string
  readonly size?: number
  /** The picture of a product, instead of its letter. */
  readonly image?: { readonly url: string } | null
}

/** The emblem of a game: its picture, else its first letter on a colour of its own. */
export function Emblem({ name, size = 40, image }: EmblemProps) {
  if (image) {
    return <img className="emblem" src={image.url} width={size} height={size} alt="" />
  }
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  const style = {
    ...{ width: size, height: size, fontSize: size * 0.46 },
    '--hue': `${(sum * 47) % 360}`,
  } as CSSProperties
  return (
    <span aria-hidden className="emblem letter" style={style}>
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

type MeterProps = { readonly ratio: number; readonly label: string }

/** How much of a limit is used, 0 to 1. From 90 % on, it has the attention colour. */
export function Meter({ ratio, label }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, ratio)) * 100)
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw the element itself, each differently.
    <div
      className={percent >= 90 ? 'meter warn' : 'meter'}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  )
}

type TimelineEntry = {
  readonly key: string
  readonly icon: Icon
  readonly tone: Tone
  readonly what: ReactNode
  readonly when: ReactNode
}

export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ul className="tl">
      {entries.map(({ key, icon: Art, tone, what, when }, index) => (
        <li key={key} className={index === entries.length - 1 ? 'ev last' : 'ev'}>
          <span className={`ic t-${tone}`}>
            <Art size={15} stroke={1.9} aria-hidden />
          </span>
          <span className="what">{what}</span>
          <span className="when">{when}</span>
        </li>
      ))}
    </ul>
  )
}

type LineProps = { readonly label: ReactNode; readonly amount: ReactNode; readonly total?: boolean }

/** One line of a sum. */
export function SumLine({ label, amount, total = false }: LineProps) {
  return (
    <div className={total ? 'sumline total' : 'sumline'}>
      <span className={total ? undefined : 'dim'}>{label}</span>
      <span className="v">{amount}</span>
    </div>
  )
}
