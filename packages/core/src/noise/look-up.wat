;; The hot loop of table draws: eight look-ups a turn from four random words.
;; Memory: words at 0 (64 KiB), cells at 65536 (128 KiB), outcomes at 196608 (128 KiB), pending at 327680.
;; The reference is lookUpInScript in look-up.ts; on the same words both write the same bytes.
(module
  (import "core" "memory" (memory 8))
  ;; words: how many words to use, rounded up to four. Returns how many draws fell into a split cell.
  (func (export "lookUp") (param $words i32) (result i32)
    (local $w i32) (local $end i32) (local $out i32) (local $waiting i32)
    (local $x i32) (local $cells v128) (local $mask i32) (local $index i32)
    (local.set $end (i32.shl (local.get $words) (i32.const 2)))
    (local.set $out (i32.const 196608))
    (block $done
      (loop $turn
        (br_if $done (i32.ge_u (local.get $w) (local.get $end)))
        (local.set $x (i32.load (local.get $w)))
        (local.set $cells (v128.load16_lane offset=65536 0
          (i32.shl (i32.and (local.get $x) (i32.const 0xffff)) (i32.const 1)) (local.get $cells)))
        (local.set $cells (v128.load16_lane offset=65536 1
          (i32.and (i32.shr_u (local.get $x) (i32.const 15)) (i32.const 0x1fffe)) (local.get $cells)))
        (local.set $x (i32.load offset=4 (local.get $w)))
        (local.set $cells (v128.load16_lane offset=65536 2
          (i32.shl (i32.and (local.get $x) (i32.const 0xffff)) (i32.const 1)) (local.get $cells)))
        (local.set $cells (v128.load16_lane offset=65536 3
          (i32.and (i32.shr_u (local.get $x) (i32.const 15)) (i32.const 0x1fffe)) (local.get $cells)))
        (local.set $x (i32.load offset=8 (local.get $w)))
        (local.set $cells (v128.load16_lane offset=65536 4
          (i32.shl (i32.and (local.get $x) (i32.const 0xffff)) (i32.const 1)) (local.get $cells)))
        (local.set $cells (v128.load16_lane offset=65536 5
          (i32.and (i32.shr_u (local.get $x) (i32.const 15)) (i32.const 0x1fffe)) (local.get $cells)))
        (local.set $x (i32.load offset=12 (local.get $w)))
        (local.set $cells (v128.load16_lane offset=65536 6
          (i32.shl (i32.and (local.get $x) (i32.const 0xffff)) (i32.const 1)) (local.get $cells)))
        (local.set $cells (v128.load16_lane offset=65536 7
          (i32.and (i32.shr_u (local.get $x) (i32.const 15)) (i32.const 0x1fffe)) (local.get $cells)))
        (v128.store (local.get $out) (i32x4.extend_low_i16x8_s (local.get $cells)))
        (v128.store offset=16 (local.get $out) (i32x4.extend_high_i16x8_s (local.get $cells)))
        (local.set $mask
          (i16x8.bitmask (i16x8.lt_s (local.get $cells) (i16x8.splat (i32.const -16384)))))
        ;; Rare: note each split draw by its index.
        (local.set $index (i32.shr_u (local.get $w) (i32.const 1)))
        (block $noted
          (loop $note
            (br_if $noted (i32.eqz (local.get $mask)))
            (i32.store offset=327680 (i32.shl (local.get $waiting) (i32.const 2))
              (i32.add (local.get $index) (i32.ctz (local.get $mask))))
            (local.set $waiting (i32.add (local.get $waiting) (i32.const 1)))
            (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
            (br $note)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 32)))
        (br $turn)))
    (local.get $waiting)))
