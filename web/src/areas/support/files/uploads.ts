import type { components } from '@moorage/client'
import { MoorageError } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { answerOf, client } from '../../../api/client.ts'
import { sendForm } from '../../../api/uploads.ts'
import { useTexts } from '../../../texts/index.tsx'
import { offer } from '../reads.ts'
import type { Ready } from './files.tsx'

export type Attachment = components['schemas']['TicketAttachment']

/** A file that the reader has chosen. */
export type Chosen = {
  readonly key: string
  readonly file: File
  /** The part that is sent, from 0 to 1. */
  readonly sent: number
  /** Null until it is uploaded. */
  readonly stored: Attachment | null
  /** Why it was not uploaded; `too_large`: it is not even sent. */
  readonly fault: string | null
}

/**
 * The files of a message that is being written. They are uploaded at once, and the message names them by their ids.
 * `report` is called at each change.
 */
export function useUploads(report: (ready: Ready) => void) {
  const { common } = useTexts()
  const limits = useQuery(offer).data?.attachments
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const stoppers = useRef(new Map<string, AbortController>())
  // A screen that is left uploads nothing more.
  useEffect(() => {
    const all = stoppers.current
    return () => {
      for (const stopper of all.values()) stopper.abort()
    }
  }, [])
  const change = (key: string, values: Partial<Chosen>) =>
    setChosen((before) => before.map((it) => (it.key === key ? { ...it, ...values } : it)))

  async function send({ key, file }: Pick<Chosen, 'key' | 'file'>): Promise<void> {
    const stopper = new AbortController()
    stoppers.current.set(key, stopper)
    const form = new FormData()
    form.append('file', file)
    const sent = (ratio: number) => change(key, { sent: ratio })
    try {
      const stored = await answerOf(
        client.POST('/v1/tickets/attachments', {
          body: form as never,
          bodySerializer: (body: unknown) => body as FormData,
          fetch: sendForm(form, { sent, signal: stopper.signal }),
        }),
      )
      change(key, { stored, sent: 1 })
    } catch (error) {
      const fault = error instanceof MoorageError ? error.message : common.unreached
      change(key, { fault })
    } finally {
      stoppers.current.delete(key)
    }
  }

  useEffect(() => {
    const ids = chosen.flatMap(({ stored }) => stored?.id ?? [])
    const isUnready = ids.length < chosen.length || isBeyond(chosen, limits)
    const settle = (sent: readonly string[]) =>
      setChosen((before) => before.filter(({ stored }) => !stored || !sent.includes(stored.id)))
    report({ ids, isUnready, settle })
  }, [chosen, limits, report])
  return {
    limits,
    chosen,
    /** Also files beyond the limits: the list says so at each of them, or above it. */
    add(files: readonly File[]) {
      const added = files.map((file) => {
        const isTooLarge = limits !== undefined && file.size > limits.fileBytes
        const fault = isTooLarge ? 'too_large' : null
        return { key: crypto.randomUUID(), file, sent: 0, stored: null, fault }
      })
      setChosen((before) => [...before, ...added])
      for (const it of added) if (it.fault === null) void send(it)
    },
    again(it: Chosen) {
      change(it.key, { fault: null, sent: 0 })
      void send(it)
    },
    remove(key: string) {
      stoppers.current.get(key)?.abort()
      setChosen((before) => before.filter((it) => it.key !== key))
    },
  }
}

type Limits = components['schemas']['SupportOffer']['attachments'] | undefined

/** Whether there are more or larger files than a message may have. */
export function isBeyond(chosen: readonly Chosen[], limits: Limits): boolean {
  if (!limits) return false
  return chosen.length > limits.count || sizeOf(chosen) > limits.messageBytes
}

export function sizeOf(chosen: readonly Chosen[]): number {
  return chosen.reduce((sum, { file }) => sum + file.size, 0)
}

/** Takes files that are dropped on the form of an element, or pasted into it. Returns the `ref` of the element. */
export function useFileTarget(add: (files: readonly File[]) => void) {
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  })
  const [element, setElement] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const form = element?.closest('form')
    if (!form) return
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const take = (event: Event, data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      latest.current(files)
    }
    const drop = (event: DragEvent) => take(event, event.dataTransfer)
    const paste = (event: ClipboardEvent) => {
      // Text from an office program comes with a picture of itself.
      if (!event.clipboardData?.types.includes('text/plain')) take(event, event.clipboardData)
    }
    form.addEventListener('dragover', over)
    form.addEventListener('drop', drop)
    form.addEventListener('paste', paste)
    return () => {
      form.removeEventListener('dragover', over)
      form.removeEventListener('drop', drop)
      form.removeEventListener('paste', paste)
    }
  }, [element])
  return setElement
}
