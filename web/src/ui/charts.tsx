import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { type Point, smooth, useWidth } from './chart.ts'

/** The colours of series, in order: brand, shades of it, then ink. */
const COLORS = [
  'var(--brand-line)',
  'color-mix(in oklab, var(--brand-line) 45%, var(--surface))',
  'color-mix(in oklab, var(--ink-3) 45%, var(--surface))',
  'var(--ink-3)',
]
const LEFT = 56
const BOTTOM = 26
const TOP = 8
const RIGHT = 8

type Series = {
  readonly label: string
  readonly values: readonly number[]
}

type ChartProps = {
  readonly label: string
  /** One for each value. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly axis?: (value: number) => string
}

/** Line chart over time. Arrow keys move along the points like a pointer; screen readers announce each. */
export function LineChart({ label, labels, series, format, axis }: ChartProps) {
  const height = 240
  const gradient = useId()
  const [ref, width] = useWidth(720)
  const [at, setAt] = useState<number | null>(null)
  const last = labels.length - 1
  const scale = scaleOf(series.flatMap(({ values }) => values))
  const x = (index: number) => LEFT + (index * (width - LEFT - RIGHT)) / Math.max(1, last)
  const y = (value: number) =>
    TOP + ((scale.top - value) / (scale.top - scale.bottom)) * (height - BOTTOM - TOP)
  const every = Math.ceil(labels.length / Math.max(2, Math.floor(width / 84)))
  const shown = at ?? last
  const walk = { at: shown, last, setAt }
  const spoken = series.map((it) => `${it.label} ${format(it.values[shown] ?? 0)}`).join(', ')
  return (
    <div className="chart" ref={ref}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={`${labels[shown]}: ${spoken}`}
        onKeyDown={(event) => step(event, walk)}
        onBlur={() => setAt(null)}
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          aria-hidden
          onPointerMove={(event) => setAt(pointed(event, width, last))}
          onPointerLeave={() => setAt(null)}
        >
          <defs>
            <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
              <stop stopColor="var(--brand-line)" stopOpacity="0.18" />
              <stop offset="1" stopColor="var(--brand-line)" stopOpacity="0" />
            </linearGradient>
          </defs>
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line
                {...{ x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }}
                stroke="var(--line)"
                {...(tick !== 0 && { strokeDasharray: '2 4' })}
              />
              <text x={LEFT - 10} y={y(tick) + 4} textAnchor="end">
                {(axis ?? format)(tick)}
              </text>
            </g>
          ))}
          {labels.map((text, index) =>
            (last - index) % every === 0 ? (
              <text
                key={text}
                x={x(index)}
                y={height - 6}
                textAnchor={index === last ? 'end' : 'middle'}
              >
                {text}
              </text>
            ) : null,
          )}
          {series.map((it) => {
            const points: readonly Point[] = it.values.map((value, index) => [x(index), y(value)])
            const line = smooth(points)
            return (
              <g key={it.label}>
                <path
                  d={`${line}L${x(last)} ${y(0)}L${x(0)} ${y(0)}Z`}
                  fill={`url(#${gradient})`}
                />
                <path d={line} fill="none" stroke="var(--brand-line)" strokeWidth={2} />
                {points.length === 1 ? (
                  <circle cx={x(0)} cy={y(it.values[0] ?? 0)} r={3.5} fill="var(--brand-line)" />
                ) : null}
              </g>
            )
          })}
          {at === null ? null : (
            <line
              {...{ x1: x(at), x2: x(at), y1: TOP, y2: height - BOTTOM }}
              stroke="var(--ink-faint)"
            />
          )}
        </svg>
      </div>
      {at === null ? null : (
        <Tip title={labels[at] ?? ''} left={Math.min(Math.max(0, x(at) + 12), width - 180)}>
          {series.map((it) => ({
            ...{ label: it.label, color: 'var(--brand-line)' },
            value: format(it.values[at] ?? 0),
          }))}
        </Tip>
      )}
    </div>
  )
}

type Walk = {
  readonly at: number
  readonly last: number
  readonly setAt: (index: number) => void
}

function step(event: KeyboardEvent, { at, last, setAt }: Walk): void {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 },
    ...{ Home: 0, End: last },
  }
  const next = steps[event.key]
  if (next === undefined) return
  event.preventDefault()
  setAt(Math.max(0, Math.min(last, next)))
}

function pointed(event: PointerEvent<SVGSVGElement>, width: number, last: number): number {
  const { left } = event.currentTarget.getBoundingClientRect()
  const part = (event.clientX - left - LEFT) / (width - LEFT - RIGHT)
  return Math.max(0, Math.min(last, Math.round(part * last)))
}

type TipProps = {
  readonly title: string
  readonly left: number
  readonly children: readonly { label: string; color: string; value: string }[]
}

function Tip({ title, left, children }: TipProps) {
  return (
    <div className="tipbox" style={{ left }} aria-hidden>
      <div className="strong">{title}</div>
      {children.map(({ label, color, value }) => (
        <div key={label} className="row between gap16">
          <span className="dim">
            <i className="k" style={{ background: color }} />
            {label}
          </span>
          <span className="num">{value}</span>
        </div>
      ))}
    </div>
  )
}

type BarsProps = Omit<ChartProps, 'axis'>

/** Stacked bars above and below a zero line. The figures are available to screen readers and in a table. */
export function StackedBars({ label, labels, series, format }: BarsProps) {
  const height = 200
  const [ref, width] = useWidth(480)
  const sums = labels.map((_, index) => {
    const values = series.map((it) => it.values[index] ?? 0)
    return [total(values.filter((it) => it > 0)), total(values.filter((it) => it < 0))] as const
  })
  const top = Math.max(1, ...sums.map(([up]) => up))
  const bottom = Math.min(0, ...sums.map(([, down]) => down))
  const y = (value: number) => 6 + ((top - value) / (top - bottom)) * (height - 32)
  const room = width / Math.max(1, labels.length)
  const bar = Math.min(34, room * 0.5)
  const every = Math.ceil(labels.length / Math.max(2, Math.floor(width / 64)))
  const spoken = labels.map((text, index) => {
    const parts = series.map((it) => `${it.label} ${format(it.values[index] ?? 0)}`)
    return `${text}: ${parts.join(', ')}`
  })
  return (
    <div className="chart" ref={ref}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        role="img"
        aria-label={`${label}. ${spoken.join('. ')}`}
      >
        <line {...{ x1: 0, x2: width, y1: y(0), y2: y(0) }} stroke="var(--line-strong)" />
        {labels.map((text, index) => (
          <g key={text}>
            {stackOf(series.map((it) => it.values[index] ?? 0)).map(([from, to], place) => (
              <rect
                key={series[place]?.label}
                x={index * room + (room - bar) / 2}
                y={y(Math.max(from, to)) + 0.5}
                width={bar}
                height={Math.max(0, Math.abs(y(from) - y(to)) - 1)}
                rx="2.5"
                fill={COLORS[place % COLORS.length]}
              />
            ))}
            {(labels.length - 1 - index) % every === 0 ? (
              <text x={index * room + room / 2} y={height - 4} textAnchor="middle">
                {text}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
      <div className="legend below">
        {series.map((it, place) => (
          <span key={it.label}>
            <i className="sq" style={{ background: COLORS[place % COLORS.length] }} />
            {it.label}
          </span>
        ))}
      </div>
    </div>
  )
}

/** The start and the end of each part of a bar: positive parts upwards, negative parts downwards. */
function stackOf(values: readonly number[]): readonly (readonly [from: number, to: number])[] {
  let [up, down] = [0, 0]
  return values.map((value) => {
    const from = value >= 0 ? up : down
    if (value >= 0) up += value
    else down += value
    return [from, from + value] as const
  })
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Round tick values of the axis, from zero or below to above the highest value. */
function scaleOf(values: readonly number[]) {
  const high = Math.max(1, ...values) * 1.02
  const low = Math.min(0, ...values)
  const raw = (high - low) / 4
  const size = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((it) => it * size >= raw) ?? 10) * size
  const first = Math.floor(low / step)
  const count = Math.ceil(high / step) - first
  const ticks = Array.from({ length: count + 1 }, (_, index) => (first + index) * step)
  return { ticks, bottom: ticks[0] ?? 0, top: ticks.at(-1) ?? 1 }
}
