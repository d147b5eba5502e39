import { useEffect, useId, useRef, useState } from 'react'

export type Point = readonly [x: number, y: number]

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

export function useWidth(fallback: number) {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(fallback)
  useEffect(() => {
    if (!ref.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(120, entry.contentRect.width))
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

/** A smooth line through all points that is never higher than the highest (monotone cubic). */
export function smooth(points: readonly Point[]): string {
  const round = (value: number) => Math.round(value * 10) / 10
  const slopes = points.slice(1).map(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? [0, 0]
    return (y - beforeY) / (x - beforeX)
  })
  const tangent = (index: number): number => {
    const before = slopes[index - 1]
    const after = slopes[index]
    if (before === undefined || after === undefined) return before ?? after ?? 0
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after)
  }
  return points
    .map(([x, y], index) => {
      const from = points[index - 1]
      if (!from) return `M${round(x)} ${round(y)}`
      const third = (x - from[0]) / 3
      const first = `${round(from[0] + third)} ${round(from[1] + tangent(index - 1) * third)}`
      const second = `${round(x - third)} ${round(y - tangent(index) * third)}`
      return `C${first} ${second} ${round(x)} ${round(y)}`
    })
    .join('')
}
