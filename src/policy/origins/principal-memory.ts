import { identifiers } from './identifiers.ts';
import { PrintMemory } from './print-memory.ts';
import { PRINT_LETTERS, PRINT_WINDOW, TextPrints } from './prints.ts';

export class PrincipalMemory {
  readonly told: PrintMemory;
  readonly given: GivenPrints = new GivenPrints();

  constructor(printsMax: number) {
    this.told = new PrintMemory(printsMax);
  }

  keeper(server: string, tool: string, texts: TextPrints): Keeper {
    return new Keeper(this, texts, this.told.source(server, tool), server);
  }
}

class Keeper {
  readonly #memory: PrincipalMemory;
  readonly #texts: TextPrints;
  readonly #source: number;
  readonly #server: string;
  readonly #receiver: number;

  constructor(memory: PrincipalMemory, texts: TextPrints, source: number, server: string) {
    this.#memory = memory;
    this.#texts = texts;
    this.#source = source;
    this.#server = server;
    this.#receiver = receiverOf(server);
  }

  keep(text: string): void {
    const { told } = this.#memory;
    this.#texts.read(text);
    const { prints } = this.#texts;
    const { hashes, checks, chosen, own } = prints;
    const count = prints.choose();
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const place = chosen[index] ?? 0;
      const hash = hashes[place] ?? 0;
      if (isStockPhrase(hash)) continue;
      // Kept ones move to the front.
      hashes[kept] = hash;
      checks[kept] = checks[place] ?? 0;
      chosen[kept] = place;
      kept += 1;
    }
    // If others' data was forgotten, it's unknown who was first.
    const known = told.remembersOthers(this.#server);
    this.#markOwn(kept, known);
    told.addAll(hashes, checks, own, kept, this.#source);
    identifiers(text, (hash, check) => {
      told.add(hash, check, this.#source, known && !this.#memory.given.has(hash, check, this.#receiver));
    });
  }

  /** Neither what was sent there nor its neighbors: at the edges other places are chosen. */
  #markOwn(count: number, known: boolean): void {
    const { hashes, checks, chosen, own } = this.#texts.prints;
    own.fill(known ? 1 : 0, 0, count);
    if (!known || !this.#memory.given.knows(this.#receiver)) return;
    let given = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < count; index += 1) {
      const place = chosen[index] ?? 0;
      const isGiven = this.#memory.given.has(hashes[index] ?? 0, checks[index] ?? 0, this.#receiver);
      if (isGiven) {
        given = place;
        for (let before = index - 1; before >= 0; before -= 1) {
          if (place - (chosen[before] ?? 0) > NEAR || own[before] === 0) break;
          own[before] = 0;
        }
      }
      if (place - given <= NEAR) own[index] = 0;
    }
  }
}

const NEAR = PRINT_LETTERS + PRINT_WINDOW;

/** A phrase everybody writes says nothing about its origin. */
function isStockPhrase(hash: number): boolean {
  stock ??= stockIndex();
  return stock.ends[hash & ENDS_MASK] === 1 && stock.hashes.has(hash);
}

/** The last bits rule out most hashes without a lookup in the set. */
interface StockIndex {
  readonly ends: Uint8Array;
  readonly hashes: ReadonlySet<number>;
}

const ENDS_MASK = 0xff_ff;
let stock: StockIndex | undefined;

function stockIndex(): StockIndex {
  const hashes = new Set<number>();
  const texts = new TextPrints();
  for (const phrase of PHRASES) {
    texts.read(phrase);
    for (const hash of texts.prints.hashes.subarray(0, texts.prints.length)) hashes.add(hash);
  }
  const ends = new Uint8Array(ENDS_MASK + 1);
  for (const hash of hashes) ends[hash & ENDS_MASK] = 1;
  return { ends, hashes };
}

const PHRASES: readonly string[] = [
  'Please let me know if you have any questions or concerns.',
  'Please do not hesitate to contact us if you need any further information.',
  'Feel free to reach out if you have any other questions.',
  'Thank you for your time and consideration.',
  'Thank you very much for your help. I am looking forward to hearing from you.',
  'I hope this email finds you well. I hope this message finds you well.',
  'Thanks in advance. Kind regards, best regards, with best wishes,',
  'Let me know what you think. Please find attached. Please see below.',
  'You are receiving this email because you are subscribed to this list.',
  'The quick brown fox jumps over the lazy dog',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
  'All rights reserved. Copyright (c)',
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files',
  'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED',
  'Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with the License',
  'application/json; charset=utf-8 text/html; charset=utf-8 text/plain; charset=utf-8',
  'application/x-www-form-urlencoded application/octet-stream multipart/form-data',
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
  'Content-Type: application/json Accept: application/json Authorization: Bearer',
  'the end of the day, on the other hand, in the middle of the, at the same time as the',
  'as well as the, in order to be able to, one of the most important, in the United States of America',
  'abcdefghijklmnopqrstuvwxyz0123456789 0123456789abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz',
  '00000000000000000000 aaaaaaaaaaaaaaaaaaaa xxxxxxxxxxxxxxxxxxxx 11111111111111111111',
  'undefined undefined undefined null null null null null false false false true true true true',
];

/** What was sent to servers: repeating it isn't telling it. Errors only make a rule stricter. */
class GivenPrints {
  readonly #marks = new Uint8Array(BYTES);
  readonly #receivers = new Set<number>();

  add(hash: number, check: number, receiver: number): void {
    this.#receivers.add(receiver);
    this.#mark(placeOf(hash, receiver));
    this.#mark(placeOf(check, receiver));
  }

  knows(receiver: number): boolean {
    return this.#receivers.has(receiver);
  }

  has(hash: number, check: number, receiver: number): boolean {
    return this.#isMarked(placeOf(hash, receiver)) && this.#isMarked(placeOf(check, receiver));
  }

  #mark(place: number): void {
    this.#marks[place >>> 3] = (this.#marks[place >>> 3] ?? 0) | (1 << (place & 7));
  }

  #isMarked(place: number): boolean {
    return ((this.#marks[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }
}

export function receiverOf(server: string): number {
  let seed = 0x81_1c_9d_c5;
  for (let index = 0; index < server.length; index += 1) {
    seed = Math.imul(seed ^ server.charCodeAt(index), 0x01_00_01_93);
  }
  return seed;
}

/** Half a megabyte: a million letters of arguments fill a tenth of it. */
const BYTES = 2 ** 19;

function placeOf(hash: number, receiver: number): number {
  const mixed = Math.imul(hash ^ receiver, 0x7f_eb_35_2d);
  return (mixed ^ (mixed >>> 15)) & (BYTES * 8 - 1);
}
