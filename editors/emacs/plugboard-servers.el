;;; plugboard-servers.el --- The servers of the hub in one buffer  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Lists every server with its state, its tools and its next step, and
;; starts, stops, restarts or mends the one at point.

;;; Code:

(require 'tabulated-list)
(require 'plugboard-hub)
(require 'plugboard-remedies)
(require 'plugboard-visible)

(defconst plugboard-servers--buffer "*Plugboard Servers*")

(defvar plugboard-servers-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map (kbd "RET") #'plugboard-servers-fix)
    (define-key map "s" #'plugboard-servers-start)
    (define-key map "k" #'plugboard-servers-stop)
    (define-key map "r" #'plugboard-servers-restart)
    (define-key map "l" #'plugboard-servers-log)
    (define-key map "e" #'plugboard-servers-toggle)
    (define-key map "g" #'plugboard-servers-refresh)
    map)
  "Keys of the server buffer.")

(define-derived-mode plugboard-servers-mode tabulated-list-mode "Servers"
  "Mode of the buffer with all servers of the hub."
  (setq tabulated-list-format [("Server" 22 t) ("State" 14 t) ("Tools" 6 nil)
                               ("Next step" 28 nil) ("Reason" 0 nil)]
        tabulated-list-padding 1)
  (setq header-line-format nil)
  (add-hook 'tabulated-list-revert-hook #'plugboard-servers--fill nil t)
  (tabulated-list-init-header))

;;;###autoload
(defun plugboard-hub ()
  "Show the servers of the hub.
\\<plugboard-servers-mode-map>\\[plugboard-servers-fix] does the next step of
the server at point, \\[plugboard-servers-start] starts it,
\\[plugboard-servers-stop] stops it, \\[plugboard-servers-restart] restarts it,
\\[plugboard-servers-log] shows its log, \\[plugboard-servers-toggle] enables
or disables it."
  (interactive)
  (plugboard-hub-connect)
  (with-current-buffer (get-buffer-create plugboard-servers--buffer)
    (unless (derived-mode-p 'plugboard-servers-mode) (plugboard-servers-mode))
    (add-hook 'plugboard-hub-change-hook #'plugboard-servers--changed)
    (plugboard-servers--fill)
    (tabulated-list-print)
    (pop-to-buffer (current-buffer)))
  (plugboard-hub-refresh))

(defun plugboard-servers--changed ()
  "Fill the buffer again, where it is."
  (if-let ((buffer (get-buffer plugboard-servers--buffer)))
      (with-current-buffer buffer
        (plugboard-servers--fill)
        (tabulated-list-print t))
    (remove-hook 'plugboard-hub-change-hook #'plugboard-servers--changed)))

(defun plugboard-servers--fill ()
  "Set the rows: servers that need somebody first, then by name."
  (let ((failed (plugboard-hub-failed)))
    (setq tabulated-list-entries
          (mapcar (lambda (server) (plugboard-servers--row server failed))
                  (sort (copy-sequence (plugboard-hub-all-servers))
                        (lambda (a b)
                          (let ((x (and (member (plist-get a :id) failed) t))
                                (y (and (member (plist-get b :id) failed) t)))
                            (if (eq x y) (string< (plist-get a :id) (plist-get b :id)) x))))))))

(defun plugboard-servers--row (server failed)
  "Return the row of SERVER; FAILED names those that need somebody."
  (let* ((id (plist-get server :id))
         (face (if (member id failed) 'warning 'default))
         (state (cond ((not (plugboard-get server :enabled)) "disabled")
                      ((not (plugboard-hub-enabled-p id)) "not used here")
                      (t (symbol-name (plugboard-hub-state server))))))
    (list id (vector (propertize id 'face face)
                     (propertize state 'face face)
                     (format "%s" (or (plugboard-get server :toolsOffered) 0))
                     (plugboard-remedy-text (plist-get server :state))
                     (plugboard-visible-line (plugboard-get server :state :reason))))))

(defun plugboard-servers--at-point ()
  "Return the server at point."
  (let ((id (tabulated-list-get-id)))
    (or (seq-find (lambda (each) (equal (plist-get each :id) id)) (plugboard-hub-all-servers))
        (user-error "No server here"))))

(defun plugboard-servers-fix ()
  "Do the next step of the server at point."
  (interactive)
  (plugboard-remedy-run (plist-get (plugboard-servers--at-point) :state)))

(defun plugboard-servers--post (action)
  "Ask the hub for ACTION on the server at point."
  (plugboard-remedies--post (plist-get (plugboard-servers--at-point) :id) action))

(defun plugboard-servers-start ()
  "Start the server at point."
  (interactive)
  (plugboard-servers--post "start"))

(defun plugboard-servers-stop ()
  "Stop the server at point."
  (interactive)
  (plugboard-servers--post "stop"))

(defun plugboard-servers-restart ()
  "Restart the server at point."
  (interactive)
  (plugboard-servers--post "restart"))

(defun plugboard-servers-log ()
  "Show the log of the server at point."
  (interactive)
  (plugboard-show-log (plist-get (plugboard-servers--at-point) :id)))

(defun plugboard-servers-toggle ()
  "Enable the server at point, or disable it."
  (interactive)
  (plugboard-servers--post (if (plugboard-get (plugboard-servers--at-point) :enabled) "disable"
                             "enable")))

(defun plugboard-servers-refresh ()
  "Read the servers again."
  (interactive)
  (plugboard-hub-refresh))

(provide 'plugboard-servers)
;;; plugboard-servers.el ends here
