import type { Topic } from "./topic.ts";
import { makingTopics } from "./topics-making.ts";
import { outdoorTopics } from "./topics-outdoor.ts";
import { techTopics } from "./topics-tech.ts";

export const topics: readonly Topic[] = [...outdoorTopics, ...makingTopics, ...techTopics];
