;;; plugboard-tools.el --- The hub's catalog as gptel tools  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Registers every tool the hub offers with gptel, under one category per
;; server, and keeps `gptel-tools' in step.  Only tools registered here are
;; ever replaced or removed.  A large catalog is registered in slices, so
;; that typing is never held up.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-schema)
(require 'plugboard-calls)

(defvar gptel-tools)
(defvar gptel--known-tools)
(defvar gptel-pre-tool-call-functions)
(declare-function gptel-make-tool "ext:gptel-request")
(declare-function gptel-tool-name "ext:gptel-request")

(defcustom plugboard-category-format "plug-%s"
  "Category of a server's tools in gptel, made from the server's name."
  :type 'string
  :group 'plugboard)

(defcustom plugboard-profile nil
  "Profile of the hub whose servers and tools are offered, or nil for all."
  :type '(choice (const :tag "All" nil) string)
  :group 'plugboard)

(defcustom plugboard-read-only nil
  "Whether only read-only tools are offered, and run."
  :type 'boolean
  :group 'plugboard)

(defcustom plugboard-activate-tools t
  "Whether registered tools are also put into `gptel-tools'.
When nil, you choose them yourself in gptel's menu."
  :type 'boolean
  :group 'plugboard)

(defcustom plugboard-slice-seconds 0.02
  "Longest time spent on registering tools before Emacs reads input again."
  :type 'number
  :group 'plugboard)

(defvar plugboard-tools--own (make-hash-table :test #'equal)
  "Registered tools by name: a plist with :tool, :category, :server and :raw.")

(defvar plugboard-tools--queue nil "Tools, as the hub has rendered them, that wait to be registered.")
(defvar plugboard-tools--refs nil "Canonical names of the tools in the queue, by name.")
(defvar plugboard-tools--wanted (make-hash-table :test #'equal) "Names that the hub offers.")
(defvar plugboard-tools--timer nil "Timer of the next slice.")
(defvar plugboard-tools--refresh nil "Timer of the next reading of the catalog.")
(defvar plugboard-tools--turn 0 "Number of the reading that was begun last.")
(defvar plugboard-tools--longest 0 "Longest time that one slice took, in seconds.")
(defvar plugboard-tools--active nil "Whether the catalog is registered at all.")
(defvar plugboard-tools-change-hook nil "Hook run when all tools have been registered.")

(defconst plugboard-tools--result-reader "plugboard_read_result"
  "Name of the tool that reads pages of large results.")

;;; Reading the catalog

(defun plugboard-tools-activate ()
  "Register the catalog now and after each change.  Return at once."
  (setq plugboard-tools--active t)
  (add-hook 'plugboard-hub-event-functions #'plugboard-tools--event)
  (add-hook 'plugboard-hub-open-hook #'plugboard-tools-refresh)
  (with-eval-after-load 'gptel
    (add-hook 'gptel-pre-tool-call-functions #'plugboard-tools-before-call)
    (when plugboard-tools--queue (plugboard-tools--slice)))
  (when (plugboard-hub-open-p) (plugboard-tools-refresh)))

(defun plugboard-tools-deactivate ()
  "Remove every tool registered here, and register none until asked again."
  (setq plugboard-tools--active nil plugboard-tools--queue nil)
  (when plugboard-tools--timer (cancel-timer plugboard-tools--timer))
  (when plugboard-tools--refresh (cancel-timer plugboard-tools--refresh))
  (setq plugboard-tools--timer nil plugboard-tools--refresh nil)
  (remove-hook 'plugboard-hub-event-functions #'plugboard-tools--event)
  (remove-hook 'plugboard-hub-open-hook #'plugboard-tools-refresh)
  (remove-hook 'gptel-pre-tool-call-functions #'plugboard-tools-before-call)
  (plugboard-tools--remove (hash-table-keys plugboard-tools--own)))

(defun plugboard-tools-count ()
  "Return how many tools of servers are registered."
  (cl-loop for each being the hash-values of plugboard-tools--own
           count (plist-get each :server)))

(defun plugboard-tools-names (&optional server)
  "Return the names of registered tools, or of those of SERVER."
  (cl-loop for name being the hash-keys of plugboard-tools--own using (hash-values each)
           when (or (null server) (equal server (plist-get each :server)))
           collect name))

(defun plugboard-tools--event (event)
  "Read the catalog again if EVENT is about tools."
  (when (member (plist-get event :kind)
                '("tools-change" "manifest-change" "config-change" "server-state" "events-dropped"))
    ;; A server that starts sends several events; they are one reading.
    (unless plugboard-tools--refresh
      (setq plugboard-tools--refresh (run-at-time 0.1 nil #'plugboard-tools-refresh)))))

(defun plugboard-tools-refresh ()
  "Read the catalog from the hub and register what changed."
  (when plugboard-tools--refresh (cancel-timer plugboard-tools--refresh))
  (setq plugboard-tools--refresh nil)
  (let ((turn (cl-incf plugboard-tools--turn)))
    (plugboard-http-request
     "GET" (concat "/v1/tools/rendered?format=anthropic&names=mcp__server__tool"
                   (and plugboard-profile (concat "&profile=" (url-hexify-string plugboard-profile)))
                   (and plugboard-read-only "&readOnly=true"))
     :on-done (lambda (value problem)
                ;; A later reading, which may have come back first, is newer.
                (when (and plugboard-tools--active (not problem) (= turn plugboard-tools--turn))
                  (plugboard-tools-take value))))))

(defun plugboard-tools-take (rendered)
  "Register the tools in RENDERED, the hub's catalog; remove what it lacks."
  (setq plugboard-tools--queue (plugboard-each (plist-get rendered :tools))
        plugboard-tools--refs (plist-get rendered :names)
        plugboard-tools--wanted (make-hash-table :test #'equal))
  (puthash plugboard-tools--result-reader t plugboard-tools--wanted)
  (plugboard-tools--slice))

(defun plugboard-tools--server (tool)
  "Return the server of TOOL, as the hub has rendered it, or nil."
  (let* ((ref (plist-get plugboard-tools--refs (intern (concat ":" (plist-get tool :name)))))
         (slash (and ref (string-search "/" ref))))
    (and slash (substring ref 0 slash))))

;;; Registering

(defun plugboard-tools--slice ()
  "Register tools from the queue for a short time, then yield."
  (when plugboard-tools--timer (cancel-timer plugboard-tools--timer))
  (setq plugboard-tools--timer nil)
  (when (featurep 'gptel)
    (let ((begin (float-time)) (made nil) (was-whole (plugboard-tools--whole-chats)))
      (plugboard-tools--register-reader)
      (while (and plugboard-tools--queue (< (- (float-time) begin) plugboard-slice-seconds))
        (when-let ((tool (plugboard-tools--register (pop plugboard-tools--queue))))
          (push tool made)))
      (plugboard-tools--put-active (nreverse made) was-whole)
      (if plugboard-tools--queue
          (setq plugboard-tools--timer (plugboard-tools--later))
        (plugboard-tools--remove (seq-remove (lambda (name) (gethash name plugboard-tools--wanted))
                                             (hash-table-keys plugboard-tools--own)))
        (run-hooks 'plugboard-tools-change-hook))
      (setq plugboard-tools--longest (max plugboard-tools--longest (- (float-time) begin))))))

(defun plugboard-tools--later ()
  "Schedule the next slice for when Emacs is idle; return its timer."
  (if noninteractive
      (run-at-time 0 nil #'plugboard-tools--slice)
    (run-with-idle-timer (if (current-idle-time) (time-add (current-idle-time) 0.01) 0.01)
                         nil #'plugboard-tools--slice)))

(defun plugboard-tools--register (raw)
  "Register RAW, a tool as the hub has rendered it, with gptel.
Return the tool, or nil if it is registered already or its name is taken."
  (let* ((name (plist-get raw :name))
         (own (gethash name plugboard-tools--own))
         (server (plugboard-tools--server raw)))
    (when (and server (plugboard-hub-enabled-p server))
      (puthash name t plugboard-tools--wanted)
      (cond
       ((and own (equal raw (plist-get own :raw))) nil)
       ((and (null own) (plugboard-tools--taken-p name))
        (message "Plugboard: %s is another tool's name here, so it isn't registered" name)
        nil)
       (t (plugboard-tools--make name server raw))))))

(defun plugboard-tools--make (name server raw)
  "Make the gptel tool NAME of SERVER from RAW, and note that it is ours."
  (let* ((category (format plugboard-category-format server))
         (args (plugboard-schema-args (plist-get raw :input_schema)))
         (tool (gptel-make-tool
                :name name :category category :async t
                :description (or (plugboard-get raw :description) name)
                :args args
                :function (plugboard-tools--function name args))))
    (puthash name (list :tool tool :category category :server server :raw raw)
             plugboard-tools--own)
    tool))

(defun plugboard-tools--taken-p (name)
  "Return non-nil if somebody else's tool is called NAME.
gptel dispatches by name alone, so two tools of one name would be mixed up."
  (cl-loop for (_category . tools) in gptel--known-tools
           thereis (assoc name tools)))

(defun plugboard-tools--function (name args)
  "Return the function for gptel to call the tool NAME with ARGS."
  (lambda (callback &rest values)
    (condition-case problem
        (if (gethash name plugboard-tools--own)
            (plugboard-call name (plugboard-schema-object args values) callback
                            :profile plugboard-profile :read-only plugboard-read-only)
          (funcall callback (format "Error: %s isn't offered any more." name)))
      (error (funcall callback (format "Error: %s wasn't called: %s" name
                                       (error-message-string problem)))))))

(defun plugboard-tools--register-reader ()
  "Register the reader of large results, once."
  (unless (gethash plugboard-tools--result-reader plugboard-tools--own)
    (let ((tool (gptel-make-tool
                 :name plugboard-tools--result-reader :category "plugboard" :async t
                 :description "Read one page of a large tool result that was kept whole."
                 :args (list '(:name "id" :type string :description "Handle of the result")
                             '(:name "page" :type integer :description "Page, from 1"))
                 :function #'plugboard-tools--read-result)))
      (puthash plugboard-tools--result-reader (list :tool tool :category "plugboard")
               plugboard-tools--own)
      (plugboard-tools--put-active (list tool) (plugboard-tools--whole-chats)))))

(defun plugboard-tools--read-result (callback id page)
  "Answer CALLBACK with PAGE of the result ID."
  (plugboard-http-request
   "GET" (concat (plugboard-hub-path "results" (format "%s" id) "pages" (format "%s" (or page 1))))
   :role 'model
   :on-done (lambda (value problem)
              (funcall callback
                       (if problem
                           (format "Error: %s" (plugboard-get problem :message))
                         (plugboard-calls-external '(:server "a kept result")
                                                   (or (plugboard-get value :text) "")))))))

;;; The active list, here and in chats

(defun plugboard-tools--chats ()
  "Return the buffers with a list of active tools of their own."
  (seq-filter (lambda (buffer) (local-variable-p 'gptel-tools buffer)) (buffer-list)))

(defun plugboard-tools--whole-chats ()
  "Return the chats that hold every tool registered here.
A chat whose user has chosen some of them gets no others."
  (let ((count (hash-table-count plugboard-tools--own)))
    (seq-filter (lambda (buffer)
                  (= count (cl-count-if #'plugboard-tools--own-p
                                        (buffer-local-value 'gptel-tools buffer))))
                (and (boundp 'gptel-tools) (plugboard-tools--chats)))))

(defun plugboard-tools--own-p (tool)
  "Return non-nil if TOOL was registered here."
  (when-let ((own (gethash (gptel-tool-name tool) plugboard-tools--own)))
    (or (eq tool (plist-get own :tool))
        ;; It was registered anew since it became active.
        (string-prefix-p "mcp__" (gptel-tool-name tool)))))

(defun plugboard-tools--put-active (tools chats)
  "Put TOOLS into the default of `gptel-tools' and into CHATS.
Wherever an older tool of the same name stands, it is replaced."
  (when tools
    (let ((fresh (make-hash-table :test #'equal)))
      (dolist (tool tools) (puthash (gptel-tool-name tool) tool fresh))
      (setq-default gptel-tools
                    (plugboard-tools--merged (default-value 'gptel-tools) tools fresh
                                             plugboard-activate-tools))
      (dolist (buffer (plugboard-tools--chats))
        (with-current-buffer buffer
          (setq gptel-tools (plugboard-tools--merged gptel-tools tools fresh
                                                     (and plugboard-activate-tools
                                                          (memq buffer chats)))))))))

(defun plugboard-tools--merged (active tools fresh add)
  "Return ACTIVE with its tools replaced from FRESH.
With ADD, those of TOOLS that it lacks come at its end."
  (let ((seen (make-hash-table :test #'equal)))
    (append (mapcar (lambda (tool)
                      (puthash (gptel-tool-name tool) t seen)
                      (or (gethash (gptel-tool-name tool) fresh) tool))
                    active)
            (and add (seq-remove (lambda (tool) (gethash (gptel-tool-name tool) seen)) tools)))))

(defun plugboard-tools--remove (names)
  "Remove the tools NAMES, which were registered here."
  (when (and names (boundp 'gptel--known-tools))
    (let ((gone (make-hash-table :test #'eq)))
      (dolist (name names)
        (when-let ((own (gethash name plugboard-tools--own)))
          (puthash (plist-get own :tool) t gone)
          (plugboard-tools--forget name (plist-get own :category))))
      (let ((kept (lambda (tools) (seq-remove (lambda (tool) (gethash tool gone)) tools))))
        (setq-default gptel-tools (funcall kept (default-value 'gptel-tools)))
        (dolist (buffer (plugboard-tools--chats))
          (with-current-buffer buffer (setq gptel-tools (funcall kept gptel-tools))))))))

(defun plugboard-tools--forget (name category)
  "Take the tool NAME of CATEGORY out of gptel's register."
  (remhash name plugboard-tools--own)
  (let ((tools (assoc category gptel--known-tools)))
    (setcdr tools (assoc-delete-all name (cdr tools)))
    (unless (cdr tools)
      (setq gptel--known-tools (delq tools gptel--known-tools)))))

;;; Before a call

(defun plugboard-tools-before-call (info)
  "Block the call in INFO if it can't be decided by the hub; else let it pass.
The hub enforces approval by itself, so this only spares a doomed call, and
it never lifts a confirmation that gptel would ask for."
  (let ((name (plist-get info :name)))
    (condition-case nil
        (when-let ((own (gethash name plugboard-tools--own)))
          (cond
           ((not (plugboard-hub-open-p))
            (list :block (format "%s wasn't called: the Plugboard hub isn't connected." name)))
           ((and (plist-get own :server) (not (listp (plist-get info :args))))
            (list :block (format "%s wasn't called: its arguments can't be read." name)))))
      (error (list :block (format "%s wasn't called: it couldn't be checked." name))))))

(provide 'plugboard-tools)
;;; plugboard-tools.el ends here
