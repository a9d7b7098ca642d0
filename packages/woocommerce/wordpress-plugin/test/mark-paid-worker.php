<?php
/** php mark-paid-worker.php FOLDER LOCKS PAYMENT: a process that answers one mark-paid call in the shop whose database is in FOLDER. */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

Shop_State::$folder = $argv[1];
Stubs::$locks       = $argv[2];
$response           = tillkit_answer_mark_paid( signed_request( 'mark-paid', json_encode( mark_paid_request( array( 'payment' => $argv[3] ) ) ) ) );
echo json_encode( $response->data );
