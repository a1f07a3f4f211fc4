export interface Built {
  name: string;
  contents: Uint8Array;
}

export function build(options?: { index?: string; cli?: string; outdir?: string }): Promise<Built[]>;
