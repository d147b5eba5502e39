import { useId } from 'react'
import { smooth, useWidth } from './chart.ts'

type LiveGraphProps = {
  /** The newest last. */
  readonly values: readonly number[]
  /** The top of the graph. */
  readonly max: number
  /** Describes the graph in words. */
  readonly label: string
  /** How many values fill the width; fewer are drawn at its right. */
  readonly span: number
  readonly height?: number
}

/** The last minutes of one figure, the newest at the right edge. */
export function LiveGraph({ values, max, label, span, height = 72 }: LiveGraphProps) {
  const gradient = useId()
  const [ref, width] = useWidth(320)
  const top = Math.max(max, ...values, 1e-9)
  const y = (value: number) => 3 + (1 - value / top) * (height - 4)
  const step = width / Math.max(1, span - 1)
  const left = width - step * (values.length - 1)
  const line = smooth(values.map((value, index) => [left + index * step, y(value)]))
  return (
    <div className="chart" ref={ref}>
      <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} height={height}>
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop stopColor="var(--brand-line)" stopOpacity="0.2" />
            <stop offset="1" stopColor="var(--brand-line)" stopOpacity="0.02" />
          </linearGradient>
        </defs>
        {[0.25, 0.5, 0.75].map((part) => (
          <line
            key={part}
            {...{ x1: 0, x2: width, y1: height * part, y2: height * part }}
            stroke="var(--line)"
            strokeDasharray="2 4"
          />
        ))}
        {values.length > 1 ? (
          <>
            <path d={`${line}L${width} ${height}L${left} ${height}Z`} fill={`url(#${gradient})`} />
            <path d={line} fill="none" stroke="var(--brand-line)" strokeWidth="1.75" />
          </>
        ) : null}
        <line
          {...{ x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }}
          stroke="var(--line-strong)"
        />
      </svg>
    </div>
  )
}
