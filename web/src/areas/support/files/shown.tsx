import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useTexts } from '../../../texts/index.tsx'
import { type AttachmentTexts, usePart } from '../../../texts/parts.ts'
import { I, refused, useFormats } from '../../../ui/index.ts'
import type { Attachment } from './uploads.ts'

/** A link works for five minutes. */
const FRESH_MS = 4 * 60_000

type Side = 'customer' | 'staff'
type Place = { readonly ticketId: string; readonly side: Side }

function linkTo({ ticketId: id, side }: Place, attachmentId: string) {
  const params = { path: { id, attachmentId } }
  const call = (signal: AbortSignal) =>
    side === 'staff'
      ? client.GET('/v1/admin/tickets/{id}/attachments/{attachmentId}/link', { params, signal })
      : client.GET('/v1/tickets/{id}/attachments/{attachmentId}/link', { params, signal })
  return {
    ...read(['ticket-file', side, attachmentId], call),
    ...{ staleTime: FRESH_MS, gcTime: FRESH_MS },
  }
}

/** The address of a link on the host of this page, whose policy allows its own pictures only. */
const pathOf = (url: string) => new URL(url).pathname

type FilesShownProps = Place & { readonly files: readonly Attachment[] }

/** The files of a message: pictures as thumbnails, all others by name. */
export function FilesShown({ files, ...place }: FilesShownProps) {
  const words = usePart('attachments').data
  if (!words) return null
  return (
    <ul className="attachments" aria-label={words.shown}>
      {files.map((file) => (
        <li key={file.id} className={file.image ? 'pictured' : undefined}>
          <Shown {...{ file, place, words }} />
        </li>
      ))}
    </ul>
  )
}

type ShownProps = {
  readonly file: Attachment
  readonly place: Place
  readonly words: AttachmentTexts
}

function Shown({ file, place, words }: ShownProps) {
  const { common } = useTexts()
  const { fileSize } = useFormats()
  const queries = useQueryClient()
  const { id, name, sizeBytes, image, blocked } = file
  const label = (
    <>
      <span className="cut" dir="auto">
        {name}
      </span>
      <span className="sub">{fileSize(sizeBytes)}</span>
    </>
  )
  if (blocked) {
    return (
      <div className="attachment">
        {label}
        <span className="sub">{words.blocked}</span>
      </div>
    )
  }
  const open = async () => {
    try {
      const { url } = await queries.fetchQuery(linkTo(place, id))
      if (image) window.open(`${pathOf(url)}?inline=1`, '_blank', 'noopener')
      else location.assign(pathOf(url))
    } catch (error) {
      refused(common.refused, error instanceof Error ? error.message : '')
    }
  }
  return (
    <button type="button" className="attachment" onClick={() => void open()}>
      <span className="sr">{image ? words.open : words.download} </span>
      {image ? (
        <Thumbnail {...{ id, place }} />
      ) : (
        <I.Download size={16} stroke={1.75} aria-hidden />
      )}
      {label}
    </button>
  )
}

/** A picture in small. Its link is requested when it comes near the screen. */
function Thumbnail({ id, place }: { readonly id: string; readonly place: Place }) {
  const frame = useRef<HTMLSpanElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!frame.current) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setNear(true)
        watch.disconnect()
      },
      { rootMargin: '200px' },
    )
    watch.observe(frame.current)
    return () => watch.disconnect()
  }, [])
  const { data } = useQuery({ ...linkTo(place, id), enabled: isNear })
  return (
    <span ref={frame} className="thumbnail">
      {data ? <img src={`${pathOf(data.url)}?inline=1`} alt="" loading="lazy" /> : null}
    </span>
  )
}
