import type { BucketPlace } from './bucket.ts'
import { filesIn } from './folder.ts'
import type { Files } from './index.ts'
import { filesInBucket } from './s3.ts'

/** Where files are stored: a folder of this machine, or a bucket. */
export type FilesPlace = { readonly folder: string } | { readonly bucket: BucketPlace }

/** The files of a place. */
export function filesOf(place: FilesPlace): Files {
  return 'folder' in place ? filesIn(place.folder) : filesInBucket(place.bucket)
}
