import { useEffect, useRef, useState } from 'react'

export type Point = readonly [x: number, y: number]

/** The width of the element with the ref, in pixels; `fallback` until it is measured. */
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
