;;; plugboard-entry.el --- The hub for other Emacs agents  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; agent-shell (ACP) and mcp.el speak MCP themselves.  They need one entry:
;; the hub's gateway, which agrees on whichever protocol version they know.

;;; Code:

(require 'plugboard-hub)

;;;###autoload
(defun plugboard-mcp-entry (&optional form)
  "Return the one entry for an agent that speaks MCP, in its FORM.
FORM `agent-shell' is for `agent-shell-mcp-servers', FORM `mcp' for
`mcp-hub-servers'; nil is a plist of :name, :command and :args.

  (setq agent-shell-mcp-servers (list (plugboard-mcp-entry \\='agent-shell)))
  (setq mcp-hub-servers (list (plugboard-mcp-entry \\='mcp)))"
  (let* ((words (append plugboard-command '("gateway")))
         (home (and plugboard-home (expand-file-name plugboard-home))))
    (pcase form
      ('agent-shell
       `((name . "plugboard")
         (command . ,(car words))
         (args . ,(vconcat (cdr words)))
         (env . ,(if home (vector `((name . "PLUG_HOME") (value . ,home))) []))))
      ('mcp
       (cons "plugboard" (append (list :command (car words) :args (cdr words))
                                 (and home (list :env (list :PLUG_HOME home))))))
      ('nil (list :name "plugboard" :command (car words) :args (cdr words)))
      (_ (user-error "There is no form %s: use `agent-shell', `mcp' or nil" form)))))

(provide 'plugboard-entry)
;;; plugboard-entry.el ends here
