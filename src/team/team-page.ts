import { PageFiles } from '../api/page-files/page-files.ts';
import { pagePathOf } from '../api/page-door/paths.ts';

/** The same page as for one user; a mark in its document tells it that people sign in here. */
export class TeamPage {
  readonly #files: PageFiles;

  constructor(folder: string) {
    this.#files = new PageFiles(folder);
  }

  static isPlace(path: string): boolean {
    return pagePathOf(path) === 'document' || path === '/team' || path.startsWith('/team/');
  }

  /** Scripts and styles hold no data. */
  file({ method }: Request, path: string): Promise<Response | undefined> {
    const isFile = method === 'GET' && pagePathOf(path) === 'file';
    return isFile ? this.#files.file(path) : Promise.resolve(undefined);
  }

  document(): Promise<Response> {
    return this.#files.teamDocument();
  }
}
