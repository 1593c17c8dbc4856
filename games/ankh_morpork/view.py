"""What one seat, or the public, may know of a match: plain JSON-able values, names ready to print.

    turn            number of the turn, from 1
    actor           colour of whose turn it is
    seat            colour of the seat this view is for, None for the public
    reactions       True while a window is open (never which seat is asked)
    over            None, or the reason the match ended
    areas           twelve, in number order: {number, name, slug, cost, river, neighbours: [names],
                    minions: {colour: n} (only n > 0), trolls, demons, building: colour | None, trouble: bool,
                    card_gone: bool, controller: colour | None}
    seats           in seating order: {colour, money, minions (on the board), minions_left, buildings: [areas],
                    buildings_left, hand_size, hand_limit, city_cards: [areas], loans: [cards], stuck: [cards]}
    draw_pile       cards left in it
    discards        card names, newest first
    in_play         name of the card lying in the play spot, or None
    events_left     event cards left
    events_used     names, oldest first
    trouble_count   markers on the board
    private         None for the public, else
      personality   {name, text, need, have, met, progress: [area names, or figures as text]}
      hand          [{name, id, deck, symbols: [...], scroll: text | None, interrupt: bool,
                      today: [{symbol, targets: [texts]}]}]    in order of id
      powers        [{area, text, usable: bool, why: None | used | gained | demon | gone | money | nothing | turn}]
      seen_personalities   names seen with Mrs Cake (unused at that time), or None

`today` lists, for each symbol of a card, what could be done with it if its turn came now. What the seat may do
next is in the Decision, not here.
"""
