/** The name of a part of a copy in the bucket; images there have other names, and only those are served to everybody. */
export const partName = (name: string, part: number): string => `exports/${name}/${part}.ndjson.gz`
