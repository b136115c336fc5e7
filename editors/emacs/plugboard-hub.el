;;; plugboard-hub.el --- What the hub says of its servers  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Keeps one event stream to the hub open and, from it, the list of servers
;; with their states.  Other parts listen to `plugboard-hub-event-functions'
;; and `plugboard-hub-change-hook'.  Nothing here waits.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-address)
(require 'plugboard-http)

(defcustom plugboard-command '("plug")
  "Words that run the plug command."
  :type '(repeat string)
  :group 'plugboard)

(defcustom plugboard-enabled-servers t
  "Servers that Emacs uses: t for all of them, or a list of their names.
Other servers are neither registered nor started from here."
  :type '(choice (const :tag "All" t) (repeat string))
  :group 'plugboard)

(defcustom plugboard-start-hub t
  "Whether Emacs starts the hub when it isn't running."
  :type 'boolean
  :group 'plugboard)

(defvar plugboard-hub-event-functions nil
  "Functions called with each event of the hub, a plist with :kind.")

(defvar plugboard-hub-change-hook nil
  "Hook run when the servers or their states have changed.")

(defvar plugboard-hub-open-hook nil
  "Hook run each time the event stream has been opened.")

(defvar plugboard-hub-lost-hook nil
  "Hook run when the event stream has ended.")

(defvar plugboard-hub--stream nil "The event stream, as long as Emacs uses the hub.")
(defvar plugboard-hub--open nil "Whether the event stream is open now.")
(defvar plugboard-hub--servers nil "Servers as the hub last described them, as plists.")
(defvar plugboard-hub--loaded nil "Whether the list of servers has been read since the stream opened.")
(defvar plugboard-hub--reading 0 "Number of readings of that list under way.")
(defvar plugboard-hub--told nil "States that events told during these readings, newest first.")
(defvar plugboard-hub--start nil "The process that starts the hub, while it runs.")
(defvar plugboard-hub--tried nil "Whether starting the hub was tried since the stream was last open.")
(defvar plugboard-hub--problem nil "Why the hub can't be reached, or nil.")
(defvar plugboard-hub--start-problem nil "Why the hub couldn't be started, or nil.")

;;; The connection

(defun plugboard-hub-open-p ()
  "Return non-nil while the hub is connected."
  plugboard-hub--open)

(defun plugboard-hub-problem ()
  "Return why the hub can't be started or reached, or nil."
  (or plugboard-hub--start-problem plugboard-hub--problem))

(defun plugboard-hub-connect ()
  "Open the event stream, unless it is there.  Return at once.
Where the hub was lost, try again now, and start it once more if need be."
  ;; A start that is under way is the one try.
  (unless (or plugboard-hub--open (process-live-p plugboard-hub--start))
    (setq plugboard-hub--tried nil))
  (cond
   ((null plugboard-hub--stream)
    (setq plugboard-hub--stream
          (plugboard-http-open-stream "/v1/events"
                                      :on-open #'plugboard-hub--opened
                                      :on-event #'plugboard-hub--event
                                      :on-lost #'plugboard-hub--lost)))
   ((not plugboard-hub--open) (plugboard-hub--open-now))))

(defun plugboard-hub-disconnect ()
  "Close the event stream and forget what it told."
  (plugboard-http-close-stream plugboard-hub--stream)
  (let ((start plugboard-hub--start))
    (setq plugboard-hub--stream nil plugboard-hub--open nil plugboard-hub--loaded nil
          plugboard-hub--servers nil plugboard-hub--start nil plugboard-hub--problem nil
          plugboard-hub--start-problem nil)
    (when (process-live-p start) (delete-process start)))
  (run-hooks 'plugboard-hub-change-hook))

(defun plugboard-hub--opened ()
  "Note that the hub is there, and read its servers."
  (setq plugboard-hub--open t plugboard-hub--tried nil plugboard-hub--problem nil
        plugboard-hub--start-problem nil)
  (plugboard-hub-refresh)
  (run-hooks 'plugboard-hub-open-hook))

(defun plugboard-hub--lost (problem)
  "Note that the stream ended with PROBLEM; start the hub if it isn't there."
  (let ((was-open plugboard-hub--open))
    (setq plugboard-hub--open nil plugboard-hub--loaded nil
          plugboard-hub--problem (plugboard-get problem :message))
    (when was-open (run-hooks 'plugboard-hub-lost-hook))
    (run-hooks 'plugboard-hub-change-hook)
    (when (and (equal (plugboard-get problem :code) "hub_unavailable")
               plugboard-start-hub (not plugboard-url) (not plugboard-hub--tried))
      (plugboard-hub--start-it))
    nil))

(defun plugboard-hub--start-it ()
  "Start the hub in the background, on this machine."
  (setq plugboard-hub--tried t plugboard-hub--start-problem nil)
  (condition-case problem
      (let ((default-directory (expand-file-name "~/"))
            (process-environment
             (if plugboard-home
                 (cons (concat "PLUG_HOME=" (expand-file-name plugboard-home)) process-environment)
               process-environment)))
        (setq plugboard-hub--start
              (make-process :name "plugboard-start" :noquery t :buffer nil :connection-type 'pipe
                            :command (append plugboard-command '("hub" "start"))
                            :filter (lambda (process text)
                                      (process-put process 'plugboard
                                                   (concat (process-get process 'plugboard) text)))
                            :sentinel #'plugboard-hub--started)))
    (error (plugboard-hub--not-started (error-message-string problem)))))

(defun plugboard-hub--started (process _event)
  "Open the stream at once when PROCESS has started the hub."
  (when (and (eq process plugboard-hub--start) (not (process-live-p process)))
    (if (eq (process-exit-status process) 0)
        (when plugboard-hub--stream (plugboard-hub--open-now))
      (plugboard-hub--not-started
       (or (car (split-string (or (process-get process 'plugboard) "") "\n" t))
           (format "exit code %d" (process-exit-status process)))))))

(defun plugboard-hub--not-started (why)
  "Tell WHY the hub couldn't be started."
  (setq plugboard-hub--start-problem why)
  (run-hooks 'plugboard-hub-change-hook)
  (message "Plugboard: the hub couldn't be started: %s" why))

(defun plugboard-hub--open-now ()
  "Open the stream now rather than after its pause."
  (when-let ((timer (plugboard-http-stream-timer plugboard-hub--stream)))
    (cancel-timer timer)
    (plugboard-http--open-again plugboard-hub--stream)))

;;; Servers

(defun plugboard-hub-refresh (&optional then)
  "Read the list of servers again, then call THEN."
  (when (zerop plugboard-hub--reading) (setq plugboard-hub--told nil))
  (cl-incf plugboard-hub--reading)
  (plugboard-http-request
   "GET" "/v1/servers"
   :on-done (lambda (value problem)
              (cl-decf plugboard-hub--reading)
              (if problem
                  (setq plugboard-hub--problem (plugboard-get problem :message))
                (setq plugboard-hub--loaded t
                      plugboard-hub--servers (plugboard-each (plist-get value :servers)))
                ;; Events overtake a list that is on its way: what they told is newer.
                (pcase-dolist (`(,name . ,state) (reverse plugboard-hub--told))
                  (when-let ((server (plugboard-hub--named name))) (plist-put server :state state))))
              (run-hooks 'plugboard-hub-change-hook)
              (when then (funcall then)))))

(defun plugboard-hub-loaded-p ()
  "Return non-nil when the list of servers is known."
  plugboard-hub--loaded)

(defun plugboard-hub-all-servers ()
  "Return all servers of the hub, as plists."
  plugboard-hub--servers)

(defun plugboard-hub-enabled-p (name)
  "Return non-nil if the server NAME is one for Emacs."
  (or (eq plugboard-enabled-servers t) (member name plugboard-enabled-servers)))

(defun plugboard-hub-servers ()
  "Return the enabled servers for Emacs."
  (seq-filter (lambda (server)
                (and (plugboard-get server :enabled)
                     (plugboard-hub-enabled-p (plist-get server :id))))
              plugboard-hub--servers))

(defun plugboard-hub-state (server)
  "Return the state of SERVER, a plist, as a symbol."
  (intern (or (plugboard-get server :state :kind) "asleep")))

(defun plugboard-hub-in (&rest states)
  "Return the names of used servers in one of STATES."
  (cl-loop for server in (plugboard-hub-servers)
           when (memq (plugboard-hub-state server) states)
           collect (plist-get server :id)))

(defun plugboard-hub-live ()
  "Return the names of used servers that are ready."
  (plugboard-hub-in 'ready 'degraded))

(defun plugboard-hub-failed ()
  "Return the names of used servers that need somebody."
  (plugboard-hub-in 'failed 'needs-sign-in 'needs-input 'quarantined))

(defun plugboard-hub-overall ()
  "Return the state of all used servers together, as a symbol.
One of `idle', `starting', `partial', `ready' and `failed'."
  (let ((live (plugboard-hub-live))
        (failed (plugboard-hub-failed))
        (starting (plugboard-hub-in 'starting)))
    (cond ((not (or live failed starting)) 'idle)
          (starting 'starting)
          ((not failed) 'ready)
          (live 'partial)
          (t 'failed))))

;;; Events

(defun plugboard-hub--event (event)
  "Take EVENT from the hub."
  (when (plist-get event :kind)
    (pcase (plist-get event :kind)
      ("server-state" (plugboard-hub--set-state (plist-get event :server) (plist-get event :state)))
      ((or "config-change" "manifest-change" "events-dropped") (plugboard-hub-refresh)))
    (run-hook-with-args 'plugboard-hub-event-functions event)))

(defun plugboard-hub--set-state (name state)
  "Note that the server NAME is in STATE."
  (when (> plugboard-hub--reading 0) (push (cons name state) plugboard-hub--told))
  (if-let ((server (plugboard-hub--named name)))
      (progn (plist-put server :state state)
             (run-hooks 'plugboard-hub-change-hook))
    (plugboard-hub-refresh)))

(defun plugboard-hub--named (name)
  "Return the server NAME, or nil."
  (seq-find (lambda (each) (equal (plist-get each :id) name)) plugboard-hub--servers))

;;; Doing

(defun plugboard-hub-do (method path &optional body then)
  "Send METHOD PATH with BODY to the hub; call THEN with the value.
A failure is shown in the echo area with its next step."
  (plugboard-http-request method path :body body
                          :on-done (lambda (value problem)
                                     (if problem
                                         (message "Plugboard: %s" (plugboard-hub-error-text problem))
                                       (when then (funcall then value))))))

(defun plugboard-hub-error-text (problem)
  "Return PROBLEM, an error of the hub, as one sentence with its next step."
  (let ((next (plugboard-get problem :next)))
    (concat (or (plugboard-get problem :message) "The hub refused.")
            (and next (format "  Next: %s" next)))))

(defun plugboard-hub-path (&rest parts)
  "Return PARTS as a path of the API, each escaped."
  (concat "/v1/" (mapconcat #'url-hexify-string parts "/")))

(provide 'plugboard-hub)
;;; plugboard-hub.el ends here
